import { useEffect, useState } from 'react'
import { QRCodeSVG } from 'qrcode.react'
import Link2Off from 'lucide-react/icons/link-2-off'
import type { GuestEvent } from '@confetti/contracts'
import { suggestLocale, useLocale } from '@confetti/i18n'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { isVideo } from '../gallery/texts.ts'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { requestWithTimeout } from '../upload/time-limit.ts'
import { keepScreenOn } from '../upload/keep-screen-on.ts'
import { translateEvent } from '../upload/translate-event.ts'
import { wait } from '../upload/wait.ts'
import { useSlides, type Shown } from './use-slides.ts'
import { useWall } from './use-wall.ts'
import { fetchWallEvent } from './wall-api.ts'
import type { WallList, WallState } from './wall-list.ts'
import type { WallSettings } from './wall-settings.ts'
import styles from './wall.module.css'

const RETRY_MS = 10_000

/** The name of an event in the page's language. Asked for until the server answers. */
const useEventName = (eventId: string): string | undefined => {
  const [event, setEvent] = useState<GuestEvent>()
  const locale = useLocale()
  useEffect(() => {
    const controller = new AbortController()
    const isEnded = (): boolean => controller.signal.aborted
    const load = async (): Promise<void> => {
      while (!isEnded())
        try {
          const loaded = await requestWithTimeout(controller.signal, (signal) =>
            fetchWallEvent(eventId, signal),
          )
          if (isEnded()) return
          setEvent(loaded)
          if (loaded.language) suggestLocale(loaded.language).catch(() => undefined)
          return
        } catch {
          await wait(RETRY_MS, controller.signal)
        }
    }
    void load()
    return () => controller.abort()
  }, [eventId])
  return event && translateEvent(event, locale).name
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
  useEffect(() => {
    if (status === 'success') setUploads(uploads)
  }, [setUploads, status, uploads])
  useEffect(keepScreenOn, [])

  const listed = new Set(uploads.map(({ _id }) => _id))
  const shown = slide.filter(({ upload }) => listed.has(upload._id))
  return (
    // Dark in both themes.
    <main
      className={`dark ${styles.wall}`}
      onDoubleClick={() => void document.documentElement.requestFullscreen().catch(() => undefined)}
    >
      <h1 className={hidden.visuallyHidden}>{name ? t('wall.title', { event: name }) : t('wall.loading')}</h1>
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
      <aside aria-label={t('wall.scan')} className={styles.corner}>
        <QRCodeSVG
          value={`${location.origin}/upload?eventId=${encodeURIComponent(eventId)}`}
          level="L"
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
export const Wall = ({ eventId, wallKey, settings }: Props) => {
  const { list, state } = useWall(eventId, wallKey)
  if (state.status === 'ended') return <WallEnded />
  return <Slideshow eventId={eventId} settings={settings} list={list} state={state} />
}
