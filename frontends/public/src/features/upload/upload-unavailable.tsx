import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import CalendarX from 'lucide-react/icons/calendar-x'
import SearchX from 'lucide-react/icons/search-x'
import type { ApiError } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { getClosedText } from '@confetti/ui/event-days'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { GuestPage, HomeLink } from '../guest-page/guest-page.tsx'
import { GalleryNotes } from './gallery-notes.tsx'
import { getSendQueues, loadUploadCode, prepareServiceWorker } from './page-queues.ts'
import { hasUnsentFiles } from './upload-history.ts'
import { getGalleryPath, isGalleryOpen } from './use-event.ts'

interface NoticeProps {
  eventId: string
  /** How many files in the list of the page were not sent. */
  listedCount?: number
}

/** Says how many files of an event that accepts none anymore were not sent. Those of earlier visits can be discarded. */
const NotSentNotice = ({ eventId, listedCount = 0 }: NoticeProps) => {
  const t = useText()
  const [earlierKeys, setEarlierKeys] = useState<readonly string[]>([])

  useEffect(() => {
    if (!hasUnsentFiles()) return
    void loadUploadCode()
      .then((uploadCode) => uploadCode?.getUnsentFiles(eventId).listEarlierKeys())
      .then((keys = []) => setEarlierKeys(keys))
  }, [eventId])

  const discard = (): void => {
    setEarlierKeys([])
    void loadUploadCode().then((uploadCode) => uploadCode?.getUnsentFiles(eventId).remove(earlierKeys))
  }

  const count = listedCount + earlierKeys.length
  if (count === 0) return null
  return (
    <>
      <p>
        <b>{t('event.notSent', { count })}</b>
      </p>
      {earlierKeys.length > 0 && (
        <div>
          <Button variant="outline" onClick={discard}>
            {t('upload.unsent.discard')}
          </Button>
        </div>
      )}
    </>
  )
}

// The pages that guests see where they cannot upload, loaded when one is needed.

const GalleryLink = ({ eventId }: { eventId: string }) => {
  const t = useText()
  return (
    <Link className={buttonClass({ size: 'large', wide: true })} to={getGalleryPath(eventId)}>
      {t('event.gallery')}
    </Link>
  )
}

const icon = { size: 40, strokeWidth: 1.75, 'aria-hidden': true } as const

export const MissingEventId = ({ hasSharedFiles = false }: { hasSharedFiles?: boolean }) => {
  const t = useText()
  useEffect(() => {
    if (!hasSharedFiles) notifyError(getText('event.missing.notice'), getText('common.error'))
  }, [hasSharedFiles])
  return (
    <GuestPage icon={<SearchX {...icon} />} title={t('event.missing.title')} actions={<HomeLink />}>
      <p>{t(hasSharedFiles ? 'event.missing.shared' : 'event.missing.text')}</p>
    </GuestPage>
  )
}

/**
 * Removes the files of an event when the guest leaves the page that says that they can no longer be sent, before the next
 * page shows that they wait.
 */
const useClearFiles = (eventId: string): void => {
  useLayoutEffect(() => () => getSendQueues().get(eventId)?.clear(), [eventId])
}

export const EventNotFound = ({ eventId }: { eventId: string }) => {
  useClearFiles(eventId)
  useEffect(() => prepareServiceWorker(eventId, false), [eventId])
  const t = useText()
  return (
    <GuestPage icon={<SearchX {...icon} />} title={t('event.notFound.title')} actions={<HomeLink />}>
      <p>{t('event.notFound.text')}</p>
      <NotSentNotice eventId={eventId} />
    </GuestPage>
  )
}

interface EventClosedProps {
  event: GuestEvent
  /** The server's error, if the event closed while files were being sent. */
  closedError: ApiError | undefined
  sent: number
  /** How many files in the list were not sent. */
  notSent: number
  /** Below the message. */
  children?: ReactNode
}

export const EventClosed = ({ event, closedError, sent, notSent, children }: EventClosedProps) => {
  useClearFiles(event._id)
  const t = useText()
  const { uploadsCloseAt, timeZone } = event
  return (
    <GuestPage
      icon={<CalendarX {...icon} />}
      title={event.name}
      actions={
        <>
          {isGalleryOpen(event) && <GalleryLink eventId={event._id} />}
          <HomeLink />
        </>
      }
      after={children}
    >
      <p>{closedError ? getFailureText(closedError) : getClosedText(uploadsCloseAt, timeZone)}</p>
      {sent > 0 && <p>{t('event.closed.sent', { count: sent })}</p>}
      <NotSentNotice eventId={event._id} listedCount={notSent} />
      <GalleryNotes event={event} />
      <p>{t('event.closed.more')}</p>
    </GuestPage>
  )
}
