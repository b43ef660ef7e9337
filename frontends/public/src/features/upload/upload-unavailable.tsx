import { useEffect, type ReactNode } from 'react'
import CalendarX from 'lucide-react/icons/calendar-x'
import SearchX from 'lucide-react/icons/search-x'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { getClosedText } from '@confetti/ui/event-days'
import { notifyError } from '@confetti/ui/notify'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { GALLERY_LINK_TEXT, getGalleryPath } from './gallery-path.ts'
import { getSendQueues } from './send-queues.ts'
import { formatFileCount } from './texts.ts'
import { useOnline } from './use-online.ts'

// The pages that guests see where they cannot upload.

const HomeLink = () => (
  <Link className={buttonClass({ variant: 'outline', size: 'large', wide: true })} to="/">
    Go to Home
  </Link>
)

const GalleryLink = ({ eventId }: { eventId: string }) => (
  <Link className={buttonClass({ size: 'large', wide: true })} to={getGalleryPath(eventId)}>
    {GALLERY_LINK_TEXT}
  </Link>
)

const icon = { size: 40, strokeWidth: 1.75, 'aria-hidden': true } as const

export const MissingEventId = () => {
  useEffect(() => notifyError('Event ID is missing.'), [])
  return (
    <GuestPage icon={<SearchX {...icon} />} title="Which event is it?" actions={<HomeLink />}>
      <p>This link is incomplete. Scan the QR code again, or ask the host.</p>
    </GuestPage>
  )
}

/** Removes the files of an event when the guest leaves the page that says that they can no longer be sent. */
const useClearFiles = (eventId: string): void => {
  useEffect(() => () => getSendQueues().get(eventId)?.clear(), [eventId])
}

export const EventNotFound = ({ eventId }: { eventId: string }) => {
  useClearFiles(eventId)
  return (
    <GuestPage icon={<SearchX {...icon} />} title="Event not found" actions={<HomeLink />}>
      <p>The link may be incomplete or out of date. Scan the QR code again, or ask the host.</p>
    </GuestPage>
  )
}

interface EventClosedProps {
  event: GuestEvent
  /** The server's message, if the event closed while files were being sent. */
  closedMessage: string | undefined
  sent: number
  /** Below the message. */
  children?: ReactNode
}

export const EventClosed = ({ event, closedMessage, sent, children }: EventClosedProps) => {
  useClearFiles(event._id)
  return (
    <GuestPage
      icon={<CalendarX {...icon} />}
      title={event.name}
      actions={
        <>
          {event.gallery === 'on' && <GalleryLink eventId={event._id} />}
          <HomeLink />
        </>
      }
      after={children}
    >
      <p>{closedMessage ?? getClosedText(event.uploadsCloseAt, event.timeZone)}</p>
      {sent > 0 && <p>{formatFileCount(sent)} uploaded before that. Thank you!</p>}
      <p>Have more files? Send them to the host directly.</p>
    </GuestPage>
  )
}

export const EventLoadError = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <GuestPage
    icon={<WifiOff {...icon} />}
    title="Couldn't load the event"
    actions={
      <Button size="large" wide onClick={onRetry}>
        Retry
      </Button>
    }
  >
    <p role="alert">{message}</p>
    {!useOnline() && <p>This page will retry automatically when you're back online.</p>}
  </GuestPage>
)
