import { useEffect, useState } from 'react'
import Clock from 'lucide-react/icons/clock'
import EyeOff from 'lucide-react/icons/eye-off'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { useLocale } from '@confetti/i18n'
import { Button, buttonClass } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useText, type TextId } from '../../texts.ts'
import { GuestPage, HomeLink } from '../guest-page/guest-page.tsx'
import { getUploadPath } from '../upload/use-event.ts'
import styles from './gallery-messages.module.css'
import { formatInstant } from './format-instant.ts'

const TICK_MS = 1_000
/** Spreads the requests of guests who wait for the same moment. */
const JITTER_MS = 2_000

interface TimeLeft {
  days: number
  hours: number
  minutes: number
  seconds: number
}

export const splitTime = (ms: number): TimeLeft => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3_600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
}

/** The time left until an instant, updated each second. Calls `onEnd` at the instant or shortly after it. */
const useCountdown = (instant: string, onEnd: () => void): TimeLeft => {
  const endsAt = Date.parse(instant)
  const [now, setNow] = useState(Date.now)
  const isOver = now >= endsAt

  useEffect(() => {
    if (isOver) {
      const timer = setTimeout(onEnd, Math.random() * JITTER_MS)
      return () => clearTimeout(timer)
    }
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isOver, onEnd])

  return splitTime(endsAt - now)
}

// The pages that guests see where there is no gallery to show.

const large = { size: 'large', wide: true } as const
const icon = { size: 40, strokeWidth: 1.75, 'aria-hidden': true } as const

interface LinkProps extends Pick<
  NonNullable<Parameters<typeof buttonClass>[0]>,
  'variant' | 'size' | 'wide'
> {
  event: GuestEvent
}

export const SendPhotosLink = ({ event, ...style }: LinkProps) => {
  const t = useText()
  return (
    <Link className={buttonClass(style)} to={getUploadPath(event._id)}>
      {t('gallery.sendPhotos')}
    </Link>
  )
}

/** The event has no gallery. */
export const GalleryOff = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  return (
    <GuestPage
      icon={<EyeOff {...icon} />}
      title={t('gallery.off.title')}
      actions={
        <>
          {event.uploadsOpen && <SendPhotosLink event={event} {...large} />}
          <HomeLink />
        </>
      }
    >
      <p>{t('gallery.off.text')}</p>
    </GuestPage>
  )
}

/** The server does not show the gallery, although it should be open by this device's clock. */
export const GalleryNotOpenYet = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  return (
    <GuestPage
      icon={<Clock {...icon} />}
      title={event.name}
      actions={<SendPhotosLink event={event} {...large} />}
    >
      <p role="status">{t('gallery.notOpenYet')}</p>
    </GuestPage>
  )
}

export const GalleryLoadError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const t = useText()
  return (
    <GuestPage
      icon={<WifiOff {...icon} />}
      title={t('gallery.loadFailed')}
      actions={
        <Button size="large" wide onClick={onRetry}>
          {t('common.retry')}
        </Button>
      }
    >
      <p role="alert">{getFailureText(error)}</p>
    </GuestPage>
  )
}

const units: readonly (readonly [keyof TimeLeft, TextId])[] = [
  ['days', 'gallery.countdown.days'],
  ['hours', 'gallery.countdown.hours'],
  ['minutes', 'gallery.countdown.minutes'],
  ['seconds', 'gallery.countdown.seconds'],
]

interface CountdownProps {
  event: GuestEvent
  revealAt: string
  onEnd: () => void
}

/** Counts down to the opening of the gallery. */
export const GalleryCountdown = ({ event, revealAt, onEnd }: CountdownProps) => {
  const t = useText()
  const locale = useLocale()
  const left = useCountdown(revealAt, onEnd)
  return (
    <GuestPage
      icon={<Clock {...icon} />}
      title={event.name}
      actions={event.uploadsOpen && <SendPhotosLink event={event} {...large} />}
    >
      <p>{t('gallery.countdown')}</p>
      <p role="timer" className={styles.countdown}>
        {units
          .filter(([unit]) => unit !== 'days' || left.days > 0)
          .map(([unit, label]) => (
            <span key={unit} className={styles.unit}>
              <b>{String(left[unit]).padStart(unit === 'days' ? 1 : 2, '0')}</b>{' '}
              {t(label, { count: left[unit] })}
            </span>
          ))}
      </p>
      <p className={styles.instant}>{formatInstant(revealAt, event.timeZone, locale)}</p>
    </GuestPage>
  )
}
