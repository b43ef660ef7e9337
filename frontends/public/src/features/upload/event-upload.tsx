import { useEffect, useSyncExternalStore } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { GuestMain } from '../guest-page/guest-main.tsx'
import { EventHero } from './event-hero.tsx'
import styles from './event-upload.module.css'
import { LazyOwnUploads } from './lazy-own-uploads.tsx'
import { prepareServiceWorker } from './load-upload-code.ts'
import { getProgress } from './progress.ts'
import { getSendQueue } from './send-queues.ts'
import { UploadForm } from './upload-form.tsx'
import { EventClosed } from './upload-unavailable.tsx'

/** An event and its upload form, or a notice that its uploads are closed. */
export const EventUpload = ({ event }: { event: GuestEvent }) => {
  const queue = getSendQueue(event._id)
  const state = useSyncExternalStore(queue.subscribe, queue.getState)
  const { files, closedError } = state
  const { sent, total, ready } = getProgress(files)
  const isClosed = !event.uploadsOpen || closedError !== undefined
  useEffect(() => prepareServiceWorker(event._id, !isClosed), [event._id, isClosed])
  const ownUploads = (
    <LazyOwnUploads eventId={event._id} hasGallery={event.gallery === 'on'} sentCount={sent} />
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
      <UploadForm event={event} queue={queue} state={state} />
      {ownUploads}
    </GuestMain>
  )
}
