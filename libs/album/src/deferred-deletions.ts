import { UNDO_MS } from '@confetti/contracts'

interface Deps<T> {
  /** Deletes it. With `keepalive` the page is being left, which the request has to outlive. */
  remove: (item: T, options: { keepalive: boolean }) => void
  /** Called with the ids that wait for their deletion, whenever they change. */
  onChange: (ids: ReadonlySet<string>) => void
}

/** Deletions that can be undone for `UNDO_MS`. */
export interface DeferredDeletions<T> {
  schedule: (item: T) => void
  undo: (id: string) => void
  /** Deletes all that wait at once: the page is being left. */
  flush: () => void
}

/**
 * Flushes deletions when the page is closed or hidden: a phone may end a hidden page without a further event. Returns a
 * function that ends this, and flushes them as well: another page of the site is opened.
 */
export const flushOnLeave = ({ flush }: Pick<DeferredDeletions<never>, 'flush'>): (() => void) => {
  const flushIfHidden = (): void => {
    if (document.visibilityState === 'hidden') flush()
  }
  window.addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', flushIfHidden)
  return () => {
    window.removeEventListener('pagehide', flush)
    document.removeEventListener('visibilitychange', flushIfHidden)
    flush()
  }
}

export const createDeferredDeletions = <T extends { _id: string }>({
  remove,
  onChange,
}: Deps<T>): DeferredDeletions<T> => {
  const waiting = new Map<string, { item: T; timer: ReturnType<typeof setTimeout> }>()
  const publish = (): void => onChange(new Set(waiting.keys()))
  const cancel = (id: string): void => {
    clearTimeout(waiting.get(id)?.timer)
    if (waiting.delete(id)) publish()
  }
  const run = (item: T, options: { keepalive: boolean }): void => {
    cancel(item._id)
    remove(item, options)
  }
  return {
    schedule: (item) => {
      if (waiting.has(item._id)) return
      const timer = setTimeout(() => run(item, { keepalive: false }), UNDO_MS)
      waiting.set(item._id, { item, timer })
      publish()
    },
    undo: cancel,
    flush: () => {
      for (const { item } of [...waiting.values()]) run(item, { keepalive: true })
    },
  }
}
