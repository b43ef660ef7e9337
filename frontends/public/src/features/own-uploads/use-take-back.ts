import { useEffect, useRef, useState } from 'react'
import { createDeferredDeletions } from '@confetti/album/deferred-deletions'
import { ApiError } from '@confetti/api-client'
import { notifyError } from '@confetti/ui/notify'
import { deleteOwnUpload } from './own-uploads-api.ts'
import { getText } from '../../texts.ts'

const noIds: ReadonlySet<string> = new Set()

/** Takes uploads back 30 seconds later, or when the page is left. Until then it can be undone. */
export const useTakeBack = (getName: (id: string) => string) => {
  const [waitingIds, setWaitingIds] = useState(noIds)
  const [removedIds, setRemovedIds] = useState(noIds)
  const nameOf = useRef(getName)
  const [deletions] = useState(() =>
    createDeferredDeletions({
      onChange: setWaitingIds,
      remove: (id, options) => {
        setRemovedIds((before) => new Set(before).add(id))
        deleteOwnUpload(id, options).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return
          setRemovedIds((before) => new Set([...before].filter((other) => other !== id)))
          notifyError(getText('own.takeBackFailed', { name: nameOf.current(id) }), getText('common.error'))
        })
      },
    }),
  )

  useEffect(() => {
    nameOf.current = getName
  }, [nameOf, getName])

  useEffect(() => {
    // A phone may end a hidden page without a further event.
    const flushIfHidden = (): void => {
      if (document.visibilityState === 'hidden') deletions.flush()
    }
    window.addEventListener('pagehide', deletions.flush)
    document.addEventListener('visibilitychange', flushIfHidden)
    return () => {
      window.removeEventListener('pagehide', deletions.flush)
      document.removeEventListener('visibilitychange', flushIfHidden)
      deletions.flush()
    }
  }, [deletions])

  return { waitingIds, removedIds, takeBack: deletions.schedule, undo: deletions.undo }
}
