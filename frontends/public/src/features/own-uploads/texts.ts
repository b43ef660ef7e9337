import type { GuestUpload } from '@confetti/contracts'

export const texts = {
  title: 'Your photos',
  lead: 'Everything you sent from this device.',
  loading: 'Loading your photos...',
  loadFailed: "Couldn't load your photos.",
  showMore: 'Show more',
  takeBack: 'Take back',
  undo: 'Undo',
  takenBack: 'Taken back. You can undo this for 30 seconds.',
}

export const labels = {
  takeBack: (name: string): string => `Take back ${name}`,
  undo: (name: string): string => `Undo taking back ${name}`,
  takenBack: (name: string): string => `${name} was taken back. You can undo this for 30 seconds.`,
  restored: (name: string): string => `${name} is not taken back.`,
  takeBackFailed: (name: string): string => `Couldn't take back ${name}. Try again.`,
}

export type OwnUploadTone = 'good' | 'neutral' | 'bad'

/** What happens to a file, in the guest's words. Without a gallery there is nothing to be ready for. */
export const describeState = (
  { status, visibility }: Pick<GuestUpload, 'status' | 'visibility'>,
  { hasGallery }: { hasGallery: boolean },
): { label: string; tone: OwnUploadTone } => {
  if (status === 'failed') return { label: "Couldn't be read", tone: 'bad' }
  if (visibility === 'hidden') return { label: 'Hidden by the organisers', tone: 'neutral' }
  if (status === 'processing') return { label: 'Being prepared', tone: 'neutral' }
  if (visibility === 'pending') return { label: 'Waiting for approval', tone: 'neutral' }
  return { label: hasGallery ? 'Ready' : 'Sent', tone: 'good' }
}
