import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type ComponentType,
} from 'react'
import { browserStorage } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { Link, useSearchParams } from '@confetti/federation/router'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { notifyError } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { GuestMain } from '../features/guest-page/guest-page.tsx'
import { findApp } from '../features/in-app/find-app.ts'
import { PinGate } from '../features/pin/pin-gate.tsx'
import { EventHero, EventHeroSkeleton } from '../features/upload/event-hero.tsx'
import { EventLoadError, NotLoaded } from '../features/upload/event-load-error.tsx'
import { getSendQueue, prepareServiceWorker } from '../features/upload/page-queues.ts'
import { getProgress } from '../features/upload/selected-files.ts'
import footer from '../features/upload/sending-status.module.css'
import form from '../features/upload/upload-form.module.css'
import { UploadForm } from '../features/upload/upload-form.tsx'
import { HAS_UNSENT_FILES_KEY, hasSentTo, readGuestName } from '../features/upload/upload-history.ts'
import {
  getEventId,
  getPrivacyPath,
  isGalleryOpen,
  useEvent,
  type EventState,
} from '../features/upload/use-event.ts'
import { getText, useText } from '../texts.ts'
import styles from './upload.module.css'

const OwnUploads = lazy(async () => ({
  // Guests can upload without it.
  default:
    (await import('../features/own-uploads/own-uploads.tsx').catch(() => undefined))?.OwnUploads ??
    (() => null),
}))

/** What guests read who have opened the page in the browser of an app. */
const InAppHint = lazy(() =>
  import('../features/in-app/in-app-hint.tsx')
    .then(({ loadInAppHint }) => loadInAppHint())
    // Guests can upload without it.
    .catch(() => ({ default: () => null })),
)

/** The pages that are shown where guests cannot upload. They are in the chunk that the service worker stores. */
const importUnavailable = () =>
  import(/* webpackChunkName: 'upload-code' */ '../features/upload/upload-unavailable.tsx')
type UnavailablePages = Awaited<ReturnType<typeof importUnavailable>>

/** One of these pages, and the skeleton until it has loaded. */
const lazyPage = <Props extends object>(select: (pages: UnavailablePages) => ComponentType<Props>) => {
  const Page = lazy(async (): Promise<{ default: ComponentType<object> }> => {
    const pages = await importUnavailable().catch(() => undefined)
    return { default: pages ? (select(pages) as ComponentType<object>) : NotLoaded }
  })
  return (props: Props) => (
    <Suspense fallback={<UploadSkeleton />}>
      <Page {...props} />
    </Suspense>
  )
}
const EventClosed = lazyPage((pages) => pages.EventClosed)
const EventNotFound = lazyPage((pages) => pages.EventNotFound)
const MissingEventId = lazyPage((pages) => pages.MissingEventId)

/** What this guest has sent to the event. Its code is loaded once there is something. */
const LazyOwnUploads = (props: ComponentProps<typeof OwnUploads>) =>
  (props.sentCount > 0 || hasSentTo(props.eventId)) && (
    <Suspense fallback={<div className={styles.placeholder} />}>
      <OwnUploads {...props} />
    </Suspense>
  )

/** An event and its upload form, or a notice that its uploads are closed. */
const EventUpload = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  const queue = getSendQueue(event._id)
  const state = useSyncExternalStore(queue.subscribe, queue.getState)
  const { files, closedError } = state
  const { sent, total, ready, busy } = getProgress(files)
  const [name, setName] = useState(readGuestName)
  const app = findApp(navigator.userAgent)
  // What has a ticket is still sent, and the page shows how far it is.
  const isClosed = (!event.uploadsOpen || closedError !== undefined) && !busy
  useEffect(() => prepareServiceWorker(event._id, !isClosed), [event._id, isClosed])
  const ownUploads = (
    <LazyOwnUploads
      eventId={event._id}
      hasGallery={isGalleryOpen(event)}
      sentCount={sent}
      isSending={busy}
      onRenamed={setName}
    />
  )
  if (isClosed)
    return (
      <EventClosed event={event} closedError={closedError} sent={sent} notSent={total - sent + ready}>
        {ownUploads}
      </EventClosed>
    )
  return (
    <GuestMain className={styles.page}>
      <EventHero event={event} />
      {app !== undefined && (
        <Suspense fallback={null}>
          <InAppHint app={app} />
        </Suspense>
      )}
      <UploadForm event={event} queue={queue} state={state} name={name} onName={setName} />
      {ownUploads}
      <Link to={getPrivacyPath(event._id)} className={styles.privacy}>
        {t('tab.privacy')}
      </Link>
    </GuestMain>
  )
}

/** The upload page while its event is loading. */
const UploadSkeleton = ({ isServerBusy = false }: { isServerBusy?: boolean }) => {
  const t = useText()
  return (
    <GuestMain className={styles.page} aria-busy="true">
      <EventHeroSkeleton />
      <div className={form.fields}>
        <Skeleton height="82px" radius="10px" />
        <Skeleton height="174px" radius="14px" />
      </div>
      <div className={footer.footer}>
        <div className={footer.content}>
          <p role="status" className={isServerBusy ? '' : hidden.visuallyHidden}>
            {isServerBusy && t('event.busy')}
          </p>
          <Skeleton height="56px" radius="14px" />
        </div>
      </div>
    </GuestMain>
  )
}

interface ContentProps {
  eventId: string
  state: EventState
  onRetry: () => void
}

const UploadContent = ({ eventId, state, onRetry }: ContentProps) => {
  switch (state.status) {
    case 'pending':
      return <UploadSkeleton isServerBusy={state.isServerBusy} />
    case 'not-found':
      return <EventNotFound eventId={eventId} />
    case 'error':
      return <EventLoadError error={state.error} onRetry={onRetry} />
    case 'success':
      return <EventUpload event={state.event} />
  }
}

const UploadTo = ({ eventId }: { eventId: string }) => {
  const { state, retry } = useEvent(eventId)
  const queue = getSendQueue(eventId)
  const isConsentMissing = useSyncExternalStore(queue.subscribe, () => queue.getState().isConsentMissing)
  // What guests agree to has changed while the page was open.
  useEffect(() => {
    if (isConsentMissing) retry()
  }, [isConsentMissing, retry])
  return (
    <KeepFocus>
      <UploadContent eventId={eventId} state={state} onRetry={retry} />
    </KeepFocus>
  )
}

/**
 * Remembers that files were shared with the app, before the page can be seen and left: the service worker cannot, and the
 * page of an event looks for them. Says once how many the service worker could not store. Returns whether files were shared.
 */
const useSharedFiles = (): boolean => {
  const [query, setQuery] = useSearchParams()
  const hasSharedFiles = query.has('shared')
  const notSharedCount = Number(query.get('notShared'))
  useLayoutEffect(() => {
    if (hasSharedFiles) browserStorage.set(HAS_UNSENT_FILES_KEY, '1')
  }, [hasSharedFiles])
  useLayoutEffect(() => {
    if (!(notSharedCount > 0)) return
    notifyError(getText('upload.notShared', { count: notSharedCount }), getText('common.error'))
    const withoutCount = (before: URLSearchParams): URLSearchParams => {
      const after = new URLSearchParams(before)
      after.delete('notShared')
      return after
    }
    setQuery(withoutCount, { replace: true })
  }, [notSharedCount, setQuery])
  return hasSharedFiles
}

export const Upload = () => {
  const [query] = useSearchParams()
  const hasSharedFiles = useSharedFiles()
  const eventId = getEventId(query)
  if (eventId)
    return (
      <PinGate key={eventId} eventId={eventId}>
        <UploadTo eventId={eventId} />
      </PinGate>
    )
  return <MissingEventId hasSharedFiles={hasSharedFiles} />
}
