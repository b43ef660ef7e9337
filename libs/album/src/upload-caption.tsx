import type { CSSProperties } from 'react'
import { MB, type Upload } from '@confetti/contracts'
import { getVisibility } from './gallery-view.ts'
import styles from './upload-caption.module.css'

/** The style of a card's media: a copy of the picture fills the space around it. */
export const backdropOf = ({ thumbnailUrl }: Upload): CSSProperties | undefined =>
  thumbnailUrl ? ({ '--backdrop': `url("${thumbnailUrl}")` } as CSSProperties) : undefined

const badges = { visible: undefined, pending: 'Waiting for approval', hidden: 'Hidden' }

/** The visibility of an upload, unless guests can see it, its guest and its time. */
export const UploadCaption = ({ upload }: { upload: Upload }) => {
  const badge = badges[getVisibility(upload)]
  return (
    <>
      {badge && <span className={styles.badge}>{badge}</span>}
      <b>Credit: {upload.photoCredit}</b>
      <span>Uploaded at: {new Date(upload.uploadedAt).toLocaleString()}</span>
    </>
  )
}

/** The name and the size of an upload. */
export const UploadName = ({ upload: { originalName, size } }: { upload: Upload }) => (
  <>
    <span>{originalName}</span>
    <span>{(size / MB).toFixed(2)} MB</span>
  </>
)
