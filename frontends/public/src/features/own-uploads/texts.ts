import type { GuestUpload } from '@confetti/contracts'
import type { TextId } from '../../texts.ts'

export type OwnUploadTone = 'good' | 'neutral' | 'bad'

/** What happens to a file, in the guest's words. Without a gallery there is nothing to be ready for. */
export const describeState = (
  { status, visibility }: Pick<GuestUpload, 'status' | 'visibility'>,
  { hasGallery }: { hasGallery: boolean },
): { label: TextId; tone: OwnUploadTone } => {
  if (status === 'failed') return { label: 'own.state.failed', tone: 'bad' }
  if (visibility === 'hidden') return { label: 'own.state.hidden', tone: 'neutral' }
  if (status === 'processing') return { label: 'own.state.processing', tone: 'neutral' }
  if (visibility === 'pending') return { label: 'own.state.pending', tone: 'neutral' }
  return { label: hasGallery ? 'own.state.ready' : 'own.state.sent', tone: 'good' }
}
