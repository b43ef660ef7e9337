import { useEffect, useRef, useState } from 'react'
import Download from 'lucide-react/icons/download'
import Share from 'lucide-react/icons/share'
import { openDownload, requestArchive } from '@confetti/album/request-archive'
import { canShareFiles, MAX_SHARED_FILES, useSharing } from '@confetti/album/use-sharing'
import type { GalleryUpload, GuestUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../gallery-texts.ts'
import { useText as useGuestText } from '../../texts.ts'
import { asOwner } from '../own-uploads/as-owner.ts'
import styles from './save-control.module.css'

type Saveable = Pick<GalleryUpload & GuestUpload, '_id' | 'photoCredit' | 'saveUrl' | 'durationSeconds'>

const toFile = ({ photoCredit, durationSeconds }: Saveable, url: string) =>
  durationSeconds === undefined
    ? { url, name: `${photoCredit}.jpg`, type: 'image/jpeg' }
    : { url, name: `${photoCredit}.mp4`, type: 'video/mp4' }

interface SharedProps {
  uploads: readonly Saveable[]
  onFailed?: () => void
}

/** Shares copies by the share sheet of a phone, and saves them elsewhere. */
const ShareButton = ({ uploads, onFailed }: SharedProps) => {
  const t = useText()
  const tGuest = useGuestText()
  const canShare = canShareFiles()
  const { isBusy, isReady, start } = useSharing(() => {
    notifyError(getText('gallery.save.failed'))
    onFailed?.()
  })
  const idleLabel = canShare ? t('gallery.save.share') : t('gallery.save.save')
  const label = isReady ? t('gallery.save.ready') : idleLabel
  return (
    <Button
      variant="secondary"
      size="small"
      icon={canShare ? <Share size={18} aria-hidden /> : <Download size={18} aria-hidden />}
      aria-disabled={isBusy}
      onClick={() =>
        start(uploads.flatMap((upload) => (upload.saveUrl ? toFile(upload, upload.saveUrl) : [])))
      }
    >
      {isBusy ? tGuest('common.loading') : label}
    </Button>
  )
}

interface ButtonProps {
  upload: Saveable
  /** Called if the copy cannot be loaded: its link may have expired. */
  onLinkFailed: () => void
}

/** Shares or saves the copy of one upload. */
export const SaveButton = ({ upload, onLinkFailed }: ButtonProps) => (
  <ShareButton key={upload._id} uploads={[upload]} onFailed={onLinkFailed} />
)

interface ArchiveProps {
  eventId: string
  body: { uploadIds?: string[]; mine?: boolean }
  label: string
}

/** Downloads an archive of copies. */
const SaveArchive = ({ eventId, body, label }: ArchiveProps) => {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    setIsBusy(true)
    try {
      const { url, filename } = await requestArchive(
        (options) =>
          api().post('/api/events/{eventId}/gallery/archives', {
            params: { eventId },
            body,
            ...asOwner(),
            ...options,
          }),
        { signal: controller.signal, onWait: () => undefined },
      )
      openDownload(url, filename)
      notify({ message: getText('gallery.save.started') })
    } catch (error) {
      if (!controller.signal.aborted) notifyError(getFailureText(error), getText('gallery.save.failed'))
    } finally {
      running.current = undefined
      setIsBusy(false)
    }
  }

  return (
    <Button
      variant="secondary"
      size="small"
      icon={<Download size={18} aria-hidden />}
      aria-disabled={isBusy}
      onClick={() => void start()}
    >
      {isBusy ? t('gallery.save.preparing') : label}
    </Button>
  )
}

/** Downloads an archive of all that a guest has sent. */
export const SaveOwn = ({ eventId }: Pick<ArchiveProps, 'eventId'>) => {
  const t = useText()
  return <SaveArchive eventId={eventId} body={{ mine: true }} label={t('gallery.save.mine')} />
}

interface BarProps {
  eventId: string
  /** Whether there are photos of this guest. */
  hasOwn: boolean
  /** Whether the gallery shows only those. */
  isMine: boolean
  /** The uploads that are chosen; undefined if the guest does not choose. */
  chosen: readonly Saveable[] | undefined
  /** Called with whether the guest chooses. */
  onChoose: (isChoosing: boolean) => void
}

/** Saves all photos of a gallery, all of the guest's own, or those that are chosen: few by the share sheet of a phone. */
export const SaveBar = ({ eventId, hasOwn, isMine, chosen, onChoose }: BarProps) => {
  const t = useText()
  const tGuest = useGuestText()
  if (!chosen)
    return (
      <div role="group" aria-label={t('gallery.save.title')} className={styles.bar}>
        {isMine ? (
          <SaveOwn eventId={eventId} />
        ) : (
          <SaveArchive eventId={eventId} body={{}} label={t('gallery.save.all')} />
        )}
        <Button variant="outline" size="small" onClick={() => onChoose(true)}>
          {t('gallery.save.choose')}
        </Button>
        {hasOwn && !isMine && (
          <div className={styles.mine}>
            <SaveOwn eventId={eventId} />
          </div>
        )}
      </div>
    )
  const count = chosen.length
  const ids = chosen.map(({ _id }) => _id)
  return (
    <div role="group" aria-label={t('gallery.save.title')} className={styles.bar}>
      <p role="status">{count === 0 ? t('gallery.save.hint') : t('gallery.save.chosen', { count })}</p>
      {count > 0 &&
        (canShareFiles() && count <= MAX_SHARED_FILES ? (
          <ShareButton key={ids.join()} uploads={chosen} />
        ) : (
          <SaveArchive eventId={eventId} body={{ uploadIds: ids }} label={t('gallery.save.save')} />
        ))}
      <Button variant="outline" size="small" onClick={() => onChoose(false)}>
        {tGuest('common.cancel')}
      </Button>
    </div>
  )
}
