import type { CSSProperties } from 'react'
import type { Upload, UploadVisibility } from '@confetti/contracts'
import { useLocale } from '@confetti/i18n'
import { formatMegabytes } from './format-size.ts'
import { formatTime } from './format-time.ts'
import { getVisibility } from './gallery-view.ts'
import { useText, type TextId } from './texts.ts'
import styles from './upload-caption.module.css'

/** The style of a card's media: a copy of the picture fills the space around it. */
export const backdropOf = ({ thumbnailUrl }: Upload): CSSProperties | undefined =>
  thumbnailUrl ? ({ '--backdrop': `url("${thumbnailUrl}")` } as CSSProperties) : undefined

const badgeIds: Record<UploadVisibility, TextId | undefined> = {
  visible: undefined,
  pending: 'album.visibility.pending',
  hidden: 'album.visibility.hidden',
}

/** The visibility of an upload, unless guests can see it, its guest and its time. */
export const UploadCaption = ({ upload }: { upload: Upload }) => {
  const t = useText()
  const badgeId = badgeIds[getVisibility(upload)]
  return (
    <>
      {badgeId && <span className={styles.badge}>{t(badgeId)}</span>}
      <b>{t('album.file.credit', { guest: upload.photoCredit })}</b>
      <span>{t('album.file.uploadedAt', { time: formatTime(upload.uploadedAt) })}</span>
    </>
  )
}

/** The name and the size of an upload. */
export const UploadName = ({ upload: { originalName, size } }: { upload: Upload }) => {
  useLocale()
  return (
    <>
      <span>
        <bdi>{originalName}</bdi>
      </span>
      <span>{formatMegabytes(size)}</span>
    </>
  )
}
