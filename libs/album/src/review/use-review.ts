import { useMemo, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import type { Moderation } from '../use-moderation.tsx'
import { getText, type TextId } from '../texts.ts'
import { toReviewQueue, type Decision, type DecisionKind } from './review-queue.ts'

/** How many decisions can be undone. */
const MAX_DECISIONS = 200

const announcementIds: Readonly<Record<DecisionKind, TextId>> = {
  approve: 'album.review.approved',
  hide: 'album.review.hidden',
  delete: 'album.review.deleted',
}

/** The state of a review: the upload to decide about, the decisions so far, and what follows. */
export const useReview = (moderation: Moderation) => {
  const { uploads, undoableIds } = moderation
  const { queue, preparingCount } = useMemo(() => toReviewQueue(uploads.uploads), [uploads.uploads])
  const [decisions, setDecisions] = useState<readonly Decision[]>([])
  const [reviewedCount, setReviewedCount] = useState(0)
  const [announcement, setAnnouncement] = useState('')
  const [currentId, setCurrentId] = useState<string>()
  // The list has an upload that was restored some moments later.
  const [restoredId, setRestoredId] = useState<string>()

  // The current one stays while others arrive.
  const find = (id: string | undefined) => queue.find(({ _id }) => _id === id)
  const restored = find(restoredId)
  const current = restored ?? find(currentId) ?? queue[0]
  if (restored) setRestoredId(undefined)
  if (current?._id !== currentId) setCurrentId(current?._id)

  // A deletion cannot be undone any more once it has been carried out.
  const undoable = decisions.filter(
    ({ kind, uploads: decided }) => kind !== 'delete' || decided.some(({ _id }) => undoableIds.has(_id)),
  )

  const decide = (kind: DecisionKind, decided: readonly Upload[]): void => {
    const [first] = decided
    if (!first) return
    const decision: Decision = { kind, uploads: decided }
    const revert = (): void => {
      setDecisions((before) => before.filter((each) => each !== decision))
      setReviewedCount((count) => count - decided.length)
    }
    if (kind === 'delete') for (const upload of decided) moderation.deleteUpload(upload)
    else moderation.setVisibility(decided, kind === 'approve' ? 'visible' : 'hidden', revert)
    setDecisions([...undoable, decision].slice(-MAX_DECISIONS))
    setReviewedCount((count) => count + decided.length)
    setAnnouncement(getText(announcementIds[kind], { count: decided.length, guest: first.photoCredit }))
    const next = queue[queue.findIndex(({ _id }) => _id === first._id) + 1]
    setCurrentId(decided.some(({ _id }) => _id === next?._id) ? undefined : next?._id)
  }

  const undo = (): void => {
    const last = undoable.at(-1)
    if (!last) return
    if (last.kind === 'delete') for (const upload of last.uploads) moderation.restore(upload)
    else moderation.setVisibility(last.uploads, 'pending')
    setDecisions(undoable.slice(0, -1))
    setReviewedCount((count) => count - last.uploads.length)
    setAnnouncement(getText('album.review.undone'))
    setRestoredId(last.uploads[0]?._id)
  }

  const ofGuest = queue.filter(({ photoCredit }) => photoCredit === current?.photoCredit)
  return {
    current,
    /** The two after the current one. */
    upcoming: queue.filter(({ _id }) => _id !== current?._id).slice(0, 2),
    waitingCount: queue.length,
    preparingCount,
    reviewedCount,
    announcement,
    /** The uploads of the guest of the current one. */
    ofGuest,
    decide: (kind: DecisionKind): void => decide(kind, current ? [current] : []),
    decideGuest: (kind: 'approve' | 'hide'): void => decide(kind, ofGuest),
    canUndo: undoable.length > 0,
    undo,
  }
}
export type Review = ReturnType<typeof useReview>
