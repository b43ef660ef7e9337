import type { CSSProperties } from 'react'
import { MB, type Upload } from '@confetti/contracts'

/** The style of a card's media: a copy of the picture fills the space around it. */
export const backdropOf = ({ thumbnailUrl }: Upload): CSSProperties | undefined =>
  thumbnailUrl ? ({ '--backdrop': `url("${thumbnailUrl}")` } as CSSProperties) : undefined

/** The guest and the time of an upload. */
export const UploadCaption = ({ upload: { photoCredit, uploadedAt } }: { upload: Upload }) => (
  <>
    <b>Credit: {photoCredit}</b>
    <span>Uploaded at: {new Date(uploadedAt).toLocaleString()}</span>
  </>
)

/** The name and the size of an upload. */
export const UploadName = ({ upload: { originalName, size } }: { upload: Upload }) => (
  <>
    <span>{originalName}</span>
    <span>{(size / MB).toFixed(2)} MB</span>
  </>
)
