import { useEffect } from 'react'
import CalendarX from 'lucide-react/icons/calendar-x'
import SearchX from 'lucide-react/icons/search-x'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { notifyError } from '@confetti/ui/notify'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { lastDayBefore } from './event-days.ts'
import { filesText } from './words.ts'

// Where a guest cannot send anything: what has happened, and the way on.

const Home = () => (
  <Link className={buttonClass({ look: 'line', size: 'large', wide: true })} to="/">
    Go to Home
  </Link>
)

const icon = { size: 40, strokeWidth: 1.75, 'aria-hidden': true } as const

export const MissingEvent = () => {
  useEffect(() => notifyError('Event ID is missing.'), [])
  return (
    <GuestPage icon={<SearchX {...icon} />} title="Which event is it?" actions={<Home />}>
      <p>This link does not say. Please scan the QR code again, or ask the host for the whole link.</p>
    </GuestPage>
  )
}

export const UnknownEvent = () => (
  <GuestPage icon={<SearchX {...icon} />} title="There is no such event." actions={<Home />}>
    <p>The link may be cut short or out of date. Please scan the QR code again, or ask the host.</p>
  </GuestPage>
)

interface Closed {
  event: GuestEvent
  /** What the server said, where it closed while files were being sent. */
  closed: string | undefined
  arrived: number
}

export const ClosedEvent = ({ event, closed, arrived }: Closed) => (
  <GuestPage icon={<CalendarX {...icon} />} title={event.name} actions={<Home />}>
    <p>
      {closed ??
        `This event takes no more photos and videos: its collection closed on ${lastDayBefore(event.uploadsCloseAt)}.`}
    </p>
    {arrived > 0 && <p>{filesText(arrived)} of yours arrived before that. Thank you!</p>}
    <p>Still have some? The host will be glad to get them from you directly.</p>
  </GuestPage>
)

export const EventNotLoaded = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <GuestPage
    icon={<WifiOff {...icon} />}
    title="The event could not be loaded."
    actions={
      <Button size="large" wide onClick={onRetry}>
        Retry
      </Button>
    }
  >
    <p role="alert">{message}</p>
    <p>This page tries again by itself when the connection is back.</p>
  </GuestPage>
)
