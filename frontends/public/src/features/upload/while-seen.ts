type Seen = () => () => void

const watched = new Map<Element, { seen: Seen; unseen?: (() => void) | undefined }>()
let observer: IntersectionObserver | undefined

const look = (entries: readonly IntersectionObserverEntry[]): void => {
  for (const { target, isIntersecting } of entries) {
    const watch = watched.get(target)
    if (!watch) continue
    watch.unseen?.()
    watch.unseen = isIntersecting ? watch.seen() : undefined
  }
}

/** Calls `seen` when the element comes near the screen, and what that returns when it goes. One observer for all. */
export const whileSeen = (element: Element, seen: Seen): (() => void) => {
  observer ??= new IntersectionObserver(look, { rootMargin: '240px 0px' })
  watched.set(element, { seen })
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    watched.get(element)?.unseen?.()
    watched.delete(element)
  }
}
