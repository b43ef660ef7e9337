import { useLayoutEffect, useMemo, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import type { Moderation } from '../moderation.tsx'
import { getText, type TextId } from '../texts.ts'

/** Splits uploads, which come newest first, into those to review, oldest first, and those that have no picture yet. */
const toReviewQueue = (uploads: readonly Upload[]): { queue: readonly Upload[]; preparingCount: number } => {
  const pending = uploads.filter(({ visibility }) => visibility === 'pending')
  const queue = pending.filter(({ status }) => status !== 'processing').reverse()
  return { queue, preparingCount: pending.length - queue.length }
}

type DecisionKind = 'approve' | 'hide' | 'delete'

/** What was decided about uploads, as they were before. */
interface Decision {
  kind: DecisionKind
  uploads: readonly Upload[]
}

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
    if (kind === 'delete') moderation.deleteUploads(decided)
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
    if (last.kind === 'delete') moderation.restore(last.uploads)
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
    /** How many wait for approval, with those that are being prepared: as many as the page of the photos says. */
    waitingCount: queue.length + preparingCount,
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

const typesText = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('input, textarea, select, [contenteditable]')

/** Handles A, H, D and Z, unless the focus is in a field or an open dialog. */
export const useReviewKeys = ({ decide, undo }: Review): void => {
  // Before the screen shows what a key would act on: a listener from before would lose it.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, metaKey, repeat, target, defaultPrevented } = event
      if (altKey || ctrlKey || metaKey || repeat || defaultPrevented || typesText(target)) return
      if (document.querySelector('[role=dialog], dialog[open]')) return
      const actions: Partial<Record<string, () => void>> = {
        a: () => decide('approve'),
        h: () => decide('hide'),
        d: () => decide('delete'),
        z: undo,
      }
      const action = actions[event.key.toLowerCase()]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [decide, undo])
}
