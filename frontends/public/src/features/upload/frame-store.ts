/**
 * Creates a store whose state is computed by `read`. `update` computes it at once; `updateOnNextFrame` computes it at
 * the next frame, once, however often it is called.
 */
export const createFrameStore = <T>(read: () => T, nextFrame: (draw: () => void) => void) => {
  const listeners = new Set<() => void>()
  let state = read()
  let isScheduled = false

  const update = (): void => {
    state = read()
    for (const listener of listeners) listener()
  }
  const updateOnNextFrame = (): void => {
    if (isScheduled) return
    isScheduled = true
    nextFrame(() => {
      isScheduled = false
      update()
    })
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { getState: (): T => state, subscribe, update, updateOnNextFrame }
}
