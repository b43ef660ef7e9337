/** A value for components to follow, made anew by `read`: at once, or once at the next frame, however often it changes. */
export const makeFrameStore = <T>(read: () => T, nextFrame: (draw: () => void) => void) => {
  const listeners = new Set<() => void>()
  let value = read()
  let drawing = false

  const publish = (): void => {
    value = read()
    for (const listener of listeners) listener()
  }
  const publishSoon = (): void => {
    if (drawing) return
    drawing = true
    nextFrame(() => {
      drawing = false
      publish()
    })
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { state: (): T => value, subscribe, publish, publishSoon }
}
