import type { CSSProperties } from 'react'
import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import { isTimeGuessed, type Upload, type UploadVisibility } from '@confetti/contracts'
import { useLocale } from '@confetti/i18n'
import { formatLocalTime, formatMegabytes, formatTime, isVideo } from './upload.ts'
import { Picture, type Medium, type Video } from './medium.tsx'
import { useText, type Text, type TextId } from './texts.ts'
import styles from './upload-medium.module.css'

// What members see of an upload, on its card and in a large size.

/** Shown while an upload is being processed, or if no picture could be made of it. */
const Placeholder = ({ upload }: { upload: Upload }) => {
  const t = useText()
  const isProcessing = upload.status === 'processing'
  const Icon = isVideo(upload) ? FileVideo : ImageIcon
  return (
    <span className={`${styles.placeholder} ${isProcessing ? styles.processing : ''}`}>
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      <span>{isProcessing ? t('album.file.processing') : <bdi>{upload.originalName}</bdi>}</span>
    </span>
  )
}

/** The thumbnail of an upload, or a placeholder. */
export const Thumbnail = ({ upload, onLinkFailed }: { upload: Upload; onLinkFailed: () => void }) => (
  <Picture
    src={upload.thumbnailUrl}
    alt={upload.originalName}
    width={upload.width}
    height={upload.height}
    placeholder={<Placeholder upload={upload} />}
    onLinkFailed={onLinkFailed}
  />
)

/** The video of an upload: its web rendition if there is one. */
export const toVideo = (t: Text, { originalName, videoUrl, url, thumbnailUrl }: Upload): Video => ({
  label: t('album.file.video', { name: originalName }),
  src: videoUrl ?? url,
  poster: thumbnailUrl,
  preload: 'none',
  failedText: t('album.file.videoFailed'),
})

/** The large picture of an upload: the preview, or the original if there is none or it is animated. */
const findPictureUrl = ({ contentType, previewUrl, url }: Upload): string =>
  contentType === 'image/gif' ? url : (previewUrl ?? url)

/** The picture of an upload that is loaded before the upload is shown in a large size. */
export const findPreloadUrl = (upload: Upload): string | undefined =>
  isVideo(upload) ? upload.previewUrl : findPictureUrl(upload)

/** An upload in a large size. */
export const toMedium = (t: Text, upload: Upload): Medium => {
  const { originalName, width, height, thumbnailUrl, previewUrl = thumbnailUrl } = upload
  return {
    label: originalName,
    width,
    height,
    thumbnailUrl,
    pictureUrl: findPictureUrl(upload),
    video: isVideo(upload) ? { ...toVideo(t, upload), poster: previewUrl, preload: 'metadata' } : undefined,
    placeholder: <Placeholder upload={upload} />,
  }
}

/** The style of a card's media: a copy of the picture fills the space around it. */
export const backdropOf = ({ thumbnailUrl }: Upload): CSSProperties | undefined =>
  thumbnailUrl ? ({ '--backdrop': `url("${thumbnailUrl}")` } as CSSProperties) : undefined

/** The guest of an upload and the time at which it was sent. */
const UploadCredit = ({ upload }: { upload: Upload }) => {
  const t = useText()
  return (
    <>
      <b>{t('album.file.credit', { guest: upload.photoCredit })}</b>
      <span>{t('album.file.uploadedAt', { time: formatTime(upload.uploadedAt) })}</span>
    </>
  )
}

const badgeIds: Record<UploadVisibility, TextId | undefined> = {
  visible: undefined,
  pending: 'album.visibility.pending',
  hidden: 'album.visibility.hidden',
}

/** Whether guests do not see an upload, whether it is damaged, its guest, and the time at which it was sent. */
export const UploadCaption = ({ upload }: { upload: Upload }) => {
  const t = useText()
  const badgeId = badgeIds[upload.visibility]
  return (
    <>
      {badgeId && <span className={styles.badge}>{t(badgeId)}</span>}
      {upload.isDamaged && <span className={styles.badge}>{t('album.file.damaged')}</span>}
      <UploadCredit upload={upload} />
    </>
  )
}

const largeBadge = `${styles.badge} ${styles.large}`

/** The guest of an upload, when it was sent, and when it was taken, in the time zone of the event. */
export const UploadDetails = ({ upload }: { upload: Upload }) => {
  const t = useText()
  const { takenAt, isDamaged } = upload
  return (
    <>
      <UploadCredit upload={upload} />
      {takenAt && <span>{t('album.file.takenAt', { time: formatLocalTime(takenAt) })}</span>}
      {isTimeGuessed(upload) && <small className={largeBadge}>{t('album.file.timeGuessed')}</small>}
      {isDamaged && <small className={largeBadge}>{t('album.file.damaged')}</small>}
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
