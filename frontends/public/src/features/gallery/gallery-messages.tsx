import Clock from 'lucide-react/icons/clock'
import EyeOff from 'lucide-react/icons/eye-off'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { GuestPage } from '../guest-page/guest-page.tsx'
import styles from './gallery-messages.module.css'
import { formatInstant, texts } from './texts.ts'
import { useCountdown, type TimeLeft } from './use-countdown.ts'

// The pages that guests see where there is no gallery to show.

const icon = { size: 40, strokeWidth: 1.75, 'aria-hidden': true } as const

const SendPhotosLink = ({ event }: { event: GuestEvent }) => (
  <Link
    className={buttonClass({ size: 'large', wide: true })}
    to={`/upload?eventId=${encodeURIComponent(event._id)}`}
  >
    {texts.sendPhotos}
  </Link>
)

const HomeLink = () => (
  <Link className={buttonClass({ variant: 'outline', size: 'large', wide: true })} to="/">
    Go to Home
  </Link>
)

/** The event has no gallery. */
export const GalleryOff = ({ event }: { event: GuestEvent }) => (
  <GuestPage
    icon={<EyeOff {...icon} />}
    title={texts.offTitle}
    actions={
      <>
        {event.uploadsOpen && <SendPhotosLink event={event} />}
        <HomeLink />
      </>
    }
  >
    <p>{texts.off}</p>
  </GuestPage>
)

/** The server does not show the gallery, although it should be open by this device's clock. */
export const GalleryNotOpenYet = ({ event }: { event: GuestEvent }) => (
  <GuestPage icon={<Clock {...icon} />} title={event.name} actions={<SendPhotosLink event={event} />}>
    <p role="status">{texts.notOpenYet}</p>
  </GuestPage>
)

export const GalleryLoadError = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <GuestPage
    icon={<WifiOff {...icon} />}
    title={texts.loadFailed}
    actions={
      <Button size="large" wide onClick={onRetry}>
        {texts.retry}
      </Button>
    }
  >
    <p role="alert">{message}</p>
  </GuestPage>
)

const units: readonly (readonly [keyof TimeLeft, string])[] = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'min'],
  ['seconds', 's'],
]

interface CountdownProps {
  event: GuestEvent
  revealAt: string
  onEnd: () => void
}

/** Counts down to the opening of the gallery. */
export const GalleryCountdown = ({ event, revealAt, onEnd }: CountdownProps) => {
  const left = useCountdown(revealAt, onEnd)
  return (
    <GuestPage
      icon={<Clock {...icon} />}
      title={event.name}
      actions={event.uploadsOpen && <SendPhotosLink event={event} />}
    >
      <p>{texts.countdown}</p>
      <p role="timer" className={styles.countdown}>
        {units
          .filter(([unit]) => unit !== 'days' || left.days > 0)
          .map(([unit, label]) => (
            <span key={unit} className={styles.unit}>
              <b>{String(left[unit]).padStart(unit === 'days' ? 1 : 2, '0')}</b> {label}
            </span>
          ))}
      </p>
      <p className={styles.instant}>{formatInstant(revealAt, event.timeZone)}</p>
    </GuestPage>
  )
}
