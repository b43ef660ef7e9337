import type { Upload } from '@confetti/contracts'
import { isVideo } from './file-names.ts'
import styles from './large-view.module.css'
import { Picture } from './picture.tsx'
import { Player } from './player.tsx'

/** The large picture of an upload: the preview, or the original if there is none or it is animated. */
const pictureUrl = ({ contentType, previewUrl, url }: Upload): string =>
  contentType === 'image/gif' ? url : (previewUrl ?? url)

/** Loads the large pictures of uploads that come next. */
export const preloadPictures = (uploads: readonly (Upload | undefined)[]): void => {
  for (const upload of uploads) {
    const src = upload && (isVideo(upload) ? upload.previewUrl : pictureUrl(upload))
    if (src) new Image().src = src
  }
}

/** An upload as large as the space around it allows. */
export const LargeView = ({ upload, onLinkFailed }: { upload: Upload; onLinkFailed: () => void }) => {
  const { width, height, thumbnailUrl, previewUrl = thumbnailUrl } = upload
  if (isVideo(upload))
    return <Player upload={upload} poster={previewUrl} onLinkFailed={onLinkFailed} preload="metadata" />
  return (
    // Not enlarged beyond its own size.
    <div className={styles.picture} style={{ maxWidth: width, maxHeight: height }}>
      {thumbnailUrl && <img src={thumbnailUrl} alt="" className={styles.thumbnail} />}
      <Picture upload={upload} src={pictureUrl(upload)} loading="eager" onLinkFailed={onLinkFailed} />
    </div>
  )
}
