import Check from 'lucide-react/icons/check'
import type { GuestUpload } from '@confetti/contracts'
import { useText, type TextId } from '../../texts.ts'
import styles from './own-upload-state.module.css'

type Tone = 'good' | 'neutral' | 'bad'

/** What happens to a file, in the guest's words. Without a gallery there is nothing to be ready for. */
export const describeState = (
  { status, visibility }: Pick<GuestUpload, 'status' | 'visibility'>,
  { hasGallery }: { hasGallery: boolean },
): { label: TextId; tone: Tone } => {
  if (status === 'failed') return { label: 'own.state.failed', tone: 'bad' }
  if (visibility === 'hidden') return { label: 'own.state.hidden', tone: 'neutral' }
  if (status === 'processing') return { label: 'own.state.processing', tone: 'neutral' }
  if (visibility === 'pending') return { label: 'own.state.pending', tone: 'neutral' }
  return { label: hasGallery ? 'own.state.ready' : 'own.state.sent', tone: 'good' }
}

interface Props {
  upload: GuestUpload
  hasGallery: boolean
  /** Whether it is deleted, which can be undone. */
  isDeleted: boolean
}

/** What happens to an upload of the guest, and whether a part of it is missing. */
export const OwnUploadState = ({ upload, hasGallery, isDeleted }: Props) => {
  const t = useText()
  const { label, tone } = describeState(upload, { hasGallery })
  if (isDeleted) return <p className={styles.note}>{t('own.deleted')}</p>
  return (
    <>
      <p className={`${styles.state} ${styles[tone]}`}>
        {tone === 'good' && <Check size={16} aria-hidden />}
        {t(label)}
      </p>
      {upload.isDamaged && <p className={styles.note}>{t('own.damaged')}</p>}
    </>
  )
}
