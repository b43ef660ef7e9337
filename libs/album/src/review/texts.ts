import { formatCount } from '../format-size.ts'

export const texts = {
  loading: 'Loading uploads...',
  loadFailed: "Couldn't load uploads.",
  nothing: 'Nothing is waiting for approval.',
  nothingHint: 'New photos appear here automatically.',
  doneHint: 'All done. New photos appear here automatically.',
  approve: 'Approve',
  hide: 'Hide',
  delete: 'Delete',
  undo: 'Undo',
  keys: 'Keys: A approves, H hides, D deletes, Z undoes. On a phone, swipe right to approve and left to hide.',
  progress: 'Reviewed',
}

export const formatLeft = (count: number): string => `${formatCount(count)} waiting`

export const formatReviewed = (count: number): string => `${formatCount(count)} reviewed`

export const formatPreparing = (count: number): string => `${formatCount(count)} more being prepared`

export const formatApproveGuest = (count: number, guest: string): string =>
  `Approve all ${formatCount(count)} of ${guest}`

const verbs = { approve: 'Approved', hide: 'Hid', delete: 'Deleted' }

export const formatDecision = (kind: keyof typeof verbs, count: number, guest: string): string =>
  count === 1
    ? `${verbs[kind]} a photo of ${guest}.`
    : `${verbs[kind]} ${formatCount(count)} photos of ${guest}.`

export const undone = 'Undone.'
