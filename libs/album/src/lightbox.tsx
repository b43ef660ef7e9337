import { useEffect, type KeyboardEvent } from 'react'
import * as Dialog from '@radix-ui/react-dialog'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import X from 'lucide-react/icons/x'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { DownloadButton } from './download-button.tsx'
import { isVideo } from './file-names.ts'
import styles from './lightbox.module.css'
import { Picture } from './picture.tsx'
import { Player } from './player.tsx'
import { useSwipe } from './use-swipe.ts'

/** What shows an upload large: its preview; the original where there is none, or where it moves. */
const largeUrl = ({ contentType, previewUrl, url }: Upload): string =>
  contentType === 'image/gif' ? url : (previewUrl ?? url)

const usePreloaded = (uploads: readonly (Upload | undefined)[]): void => {
  const wanted = uploads
    .map((upload) => upload && (isVideo(upload) ? upload.previewUrl : largeUrl(upload)))
    .join('\n')
  useEffect(() => {
    for (const src of wanted.split('\n')) if (src) new Image().src = src
  }, [wanted])
}

const Large = ({ upload, onStale }: { upload: Upload; onStale: () => void }) => {
  const { width, height, thumbnailUrl, previewUrl = thumbnailUrl } = upload
  if (isVideo(upload))
    return <Player upload={upload} poster={previewUrl} onStale={onStale} preload="metadata" />
  return (
    // Never larger than it is.
    <div className={styles.picture} style={{ maxWidth: width, maxHeight: height }}>
      {thumbnailUrl && <img src={thumbnailUrl} alt="" className={styles.before} />}
      <Picture upload={upload} src={largeUrl(upload)} loading="eager" onStale={onStale} />
    </div>
  )
}

interface Props {
  uploads: readonly Upload[]
  /** Which one is shown. */
  id: string
  onShow: (id: string) => void
  onClose: () => void
  /** It is off the page; `id` was the last one shown. */
  onClosed: (id: string) => void
  refresh: () => Promise<readonly Upload[]>
  onStale: () => void
}

/** One upload over the whole window, and the way to its neighbours. */
export const Lightbox = ({ uploads, id, onShow, onClose, onClosed, refresh, onStale }: Props) => {
  const index = uploads.findIndex(({ _id }) => _id === id)
  const upload = uploads[index]
  const [previous, next] = [uploads[index - 1], uploads[index + 1]]
  usePreloaded([next, previous])

  const show = (other: Upload | undefined): void => {
    if (other) onShow(other._id)
  }
  const swipe = useSwipe((step) => show(step === 1 ? next : previous))
  const keys: Record<string, Upload | undefined> = {
    ArrowRight: next,
    ArrowLeft: previous,
    Home: uploads[0],
    End: uploads.at(-1),
  }
  const press = (event: KeyboardEvent): void => {
    // In a video these keys wind.
    if (event.target instanceof HTMLVideoElement || !(event.key in keys)) return
    event.preventDefault()
    show(keys[event.key])
  }

  if (!upload) return null
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          // Photos are looked at in the dark, in both themes.
          className={`dark ${styles.box}`}
          onKeyDown={press}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed(id)
          }}
        >
          <header className={styles.top}>
            <p aria-live="polite" className={styles.position}>
              {index + 1} of {uploads.length}
            </p>
            <Dialog.Title className={styles.name}>{upload.originalName}</Dialog.Title>
            <DownloadButton key={id} look="bare" upload={upload} refresh={refresh} />
            <Dialog.Close asChild>
              <IconButton look="bare" label="Close">
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </header>
          <div className={styles.stage} {...swipe.handlers}>
            <div
              key={id}
              className={styles.large}
              style={swipe.moved ? { transform: `translateX(${swipe.moved}px)` } : undefined}
            >
              <Large upload={upload} onStale={onStale} />
            </div>
          </div>
          <IconButton
            look="bare"
            label="Previous"
            className={styles.previous}
            aria-disabled={!previous}
            onClick={() => show(previous)}
          >
            <ChevronLeft size={28} aria-hidden />
          </IconButton>
          <Dialog.Description className={styles.caption}>
            <b>Credit: {upload.photoCredit}</b>
            <span>Uploaded at: {new Date(upload.uploadedAt).toLocaleString()}</span>
          </Dialog.Description>
          <IconButton
            look="bare"
            label="Next"
            className={styles.next}
            aria-disabled={!next}
            onClick={() => show(next)}
          >
            <ChevronRight size={28} aria-hidden />
          </IconButton>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
