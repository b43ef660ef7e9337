import { useSyncExternalStore } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { GuestMain } from '../guest-page/guest-main.tsx'
import { EventHero } from './event-hero.tsx'
import styles from './event-upload.module.css'
import { ClosedEvent } from './no-upload.tsx'
import { progressOf } from './progress.ts'
import { queueOf } from './queues.ts'
import { UploadForm } from './upload-form.tsx'

/** An event that is there, and the form to send to it. */
export const EventUpload = ({ event }: { event: GuestEvent }) => {
  const queue = queueOf(event._id)
  const state = useSyncExternalStore(queue.subscribe, queue.state)
  if (!event.uploadsOpen || state.closed !== undefined)
    return <ClosedEvent event={event} closed={state.closed} arrived={progressOf(state.files).sent} />
  return (
    <GuestMain className={styles.page}>
      <EventHero event={event} />
      <UploadForm event={event} queue={queue} state={state} />
    </GuestMain>
  )
}
