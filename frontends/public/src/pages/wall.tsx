import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { ApiError, wait } from '@confetti/api-client'
import { useLocation, useParams, useSearchParams } from '@confetti/federation/router'
import { useEffect, useState } from 'react'
import Link2Off from 'lucide-react/icons/link-2-off'
import { QRCodeSVG } from 'qrcode.react'
import type { GuestEvent } from '@confetti/contracts'
import { suggestLocale, useLocale } from '@confetti/i18n'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../texts.ts'
import { isVideo } from '../features/gallery/formats.ts'
import { GuestPage } from '../features/guest-page/guest-page.tsx'
import { keepScreenOn } from '../features/upload/keep-screen-on.ts'
import { fetchEvent, getUploadPath } from '../features/upload/use-event.ts'
import { FullScreenButton, toggleFullScreen, useMovement } from '../features/wall/full-screen.tsx'
import { useSlides, type Shown } from '../features/wall/use-slides.ts'
import { useWall } from '../features/wall/use-wall.ts'
import type { WallList, WallState } from '../features/wall/wall-list.ts'
import styles from './wall.module.css'

const DEFAULT_SECONDS = 8
const MIN_SECONDS = 3
const MAX_SECONDS = 120

export interface WallSettings {
  /** How long a photo is shown. */
  slideMs: number
  /** Whether credits are shown. */
  hasNames: boolean
}

/** Reads the settings of a wall from the query of its address: `?seconds=10&names=off`. */
export const parseWallSettings = (query: URLSearchParams): WallSettings => {
  const seconds = Number(query.get('seconds')) || DEFAULT_SECONDS
  return {
    slideMs: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)) * 1_000,
    hasNames: query.get('names') !== 'off',
  }
}

const RETRY_MS = 10_000

type NamedEvent = Pick<GuestEvent, 'name' | 'language' | 'translations'>

/** The name of an event in the page's language. Asked for until the server answers. */
const useEventName = (eventId: string): string | undefined => {
  const [event, setEvent] = useState<NamedEvent>()
  const locale = useLocale()
  useEffect(() => {
    const controller = new AbortController()
    const isEnded = (): boolean => controller.signal.aborted
    const show = (loaded: NamedEvent): void => {
      if (isEnded()) return
      setEvent(loaded)
      if (loaded.language) suggestLocale(loaded.language).catch(() => undefined)
    }
    const load = async (): Promise<void> => {
      while (!isEnded())
        try {
          show(await requestWithTimeout(controller.signal, (signal) => fetchEvent(eventId, signal)))
          return
        } catch (error) {
          // Nobody types a PIN at a wall.
          if (error instanceof ApiError && error.event) {
            show(error.event)
            return
          }
          await wait(RETRY_MS, controller.signal)
        }
    }
    void load()
    return () => controller.abort()
  }, [eventId])
  return event?.translations?.[locale]?.name ?? event?.name
}

interface MediumProps extends Shown {
  hasNames: boolean
  onVideoFailed: () => void
}

const Medium = ({ upload, pictureUrl, hasNames, onVideoFailed }: MediumProps) => {
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <figure className={styles.medium}>
      {upload.videoUrl && isVideo(upload) && !hasFailed ? (
        <video
          autoPlay
          muted
          loop
          playsInline
          src={upload.videoUrl}
          poster={pictureUrl}
          aria-hidden
          className={styles.picture}
          onError={() => {
            setHasFailed(true)
            onVideoFailed()
          }}
        />
      ) : (
        <img src={pictureUrl} alt="" className={styles.picture} />
      )}
      {hasNames && (
        <figcaption className={styles.credit}>
          <bdi>{upload.photoCredit}</bdi>
        </figcaption>
      )}
    </figure>
  )
}

const WallEnded = () => {
  const t = useText()
  return (
    <GuestPage icon={<Link2Off size={40} aria-hidden />} title={t('wall.ended.title')} actions={null}>
      <p>{t('wall.ended.text')}</p>
    </GuestPage>
  )
}

interface SlideshowProps {
  eventId: string
  settings: WallSettings
  list: WallList
  state: WallState
}

const Slideshow = ({ eventId, settings, list, state: { status, uploads } }: SlideshowProps) => {
  const t = useText()
  const { slide, setUploads, reportVideoFailure } = useSlides(settings.slideMs, list)
  const name = useEventName(eventId)
  const isMoving = useMovement()
  useEffect(() => {
    if (status === 'success') setUploads(uploads)
  }, [setUploads, status, uploads])
  useEffect(keepScreenOn, [])

  const listed = new Set(uploads.map(({ _id }) => _id))
  const shown = slide.filter(({ upload }) => listed.has(upload._id))
  return (
    // Dark in both themes.
    <main className={`dark ${styles.wall} ${isMoving ? styles.moving : ''}`} onDoubleClick={toggleFullScreen}>
      <h1 className={hidden.visuallyHidden}>{name ? t('wall.title', { event: name }) : t('wall.loading')}</h1>
      <div className={styles.stage}>
        {shown.length > 0 ? (
          <div key={shown[0]?.upload._id} className={styles.slide}>
            {shown.map(({ upload, pictureUrl }) => (
              <Medium
                key={upload._id}
                upload={upload}
                pictureUrl={pictureUrl}
                hasNames={settings.hasNames}
                onVideoFailed={reportVideoFailure}
              />
            ))}
          </div>
        ) : (
          status === 'success' && uploads.length === 0 && <p className={styles.empty}>{t('wall.empty')}</p>
        )}
        <FullScreenButton isShown={isMoving} />
      </div>
      <aside aria-label={t('wall.scan')} className={styles.side}>
        <QRCodeSVG
          value={location.origin + getUploadPath(eventId)}
          // It is read from afar, and from the side.
          level="Q"
          title={t('wall.qrCode', { event: name ?? '' })}
          className={styles.code}
        />
        <p>
          {name && (
            <b>
              <bdi>{name}</bdi>
            </b>
          )}
          <span>{t('wall.scan')}</span>
        </p>
      </aside>
    </main>
  )
}

interface Props {
  eventId: string
  wallKey: string
  settings: WallSettings
}

/** The photos of an event for a projector or a TV: one slide after the other, without any input. */
const LiveWall = ({ eventId, wallKey, settings }: Props) => {
  const { list, state } = useWall(eventId, wallKey)
  if (state.status === 'ended') return <WallEnded />
  return <Slideshow eventId={eventId} settings={settings} list={list} state={state} />
}

export const Wall = () => {
  const { eventId = '' } = useParams()
  const key = useLocation().hash.slice(1)
  const settings = parseWallSettings(useSearchParams()[0])
  return <LiveWall key={`${eventId}#${key}`} eventId={eventId} wallKey={key} settings={settings} />
}
