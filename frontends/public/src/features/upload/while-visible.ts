/** Called when an element becomes visible. Returns what to call when it is hidden again. */
type OnVisible = () => () => void

const observed = new Map<Element, { onVisible: OnVisible; onHidden?: (() => void) | undefined }>()
let observer: IntersectionObserver | undefined

const handleEntries = (entries: readonly IntersectionObserverEntry[]): void => {
  for (const { target, isIntersecting } of entries) {
    const callbacks = observed.get(target)
    if (!callbacks) continue
    callbacks.onHidden?.()
    callbacks.onHidden = isIntersecting ? callbacks.onVisible() : undefined
  }
}

/**
 * Calls `onVisible` when the element comes near the viewport, and the function that it returned when the element leaves.
 * All elements share one observer. Returns a function that stops it.
 */
export const whileVisible = (element: Element, onVisible: OnVisible): (() => void) => {
  observer ??= new IntersectionObserver(handleEntries, { rootMargin: '240px 0px' })
  observed.set(element, { onVisible })
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    observed.get(element)?.onHidden?.()
    observed.delete(element)
  }
}
