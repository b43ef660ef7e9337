/** How long a deletion can be undone. */
export const UNDO_MS = 30_000

interface Deps {
  /** Deletes it. With `keepalive` the page is being left, which the request has to outlive. */
  remove: (id: string, options: { keepalive: boolean }) => void
  /** Called with the ids that wait for their deletion, whenever they change. */
  onChange: (ids: ReadonlySet<string>) => void
}

/** Deletions that can be undone for `UNDO_MS`. */
export interface DeferredDeletions {
  schedule: (id: string) => void
  undo: (id: string) => void
  /** Deletes all that wait at once: the page is being left. */
  flush: () => void
}

/**
 * Flushes deletions when the page is closed or hidden: a phone may end a hidden page without a further event. Returns a
 * function that ends this, and flushes them as well: another page of the site is opened.
 */
export const flushOnLeave = ({ flush }: Pick<DeferredDeletions, 'flush'>): (() => void) => {
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

export const createDeferredDeletions = ({ remove, onChange }: Deps): DeferredDeletions => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const publish = (): void => onChange(new Set(timers.keys()))
  const run = (id: string, options: { keepalive: boolean }): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    publish()
    remove(id, options)
  }
  return {
    schedule: (id) => {
      if (timers.has(id)) return
      timers.set(
        id,
        setTimeout(() => run(id, { keepalive: false }), UNDO_MS),
      )
      publish()
    },
    undo: (id) => {
      clearTimeout(timers.get(id))
      if (timers.delete(id)) publish()
    },
    flush: () => {
      for (const id of [...timers.keys()]) run(id, { keepalive: true })
    },
  }
}
