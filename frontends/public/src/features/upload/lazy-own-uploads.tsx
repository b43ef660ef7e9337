import { lazy, Suspense, type ComponentProps } from 'react'
import styles from './lazy-own-uploads.module.css'
import { hasSentTo } from './sent-events.ts'

const OwnUploads = lazy(async () => ({
  // Guests can upload without it.
  default:
    (await import('../own-uploads/own-uploads.tsx').catch(() => undefined))?.OwnUploads ?? (() => null),
}))

/** What this guest has sent to the event. Its code is loaded once there is something. */
export const LazyOwnUploads = (props: ComponentProps<typeof OwnUploads>) =>
  (props.sentCount > 0 || hasSentTo(props.eventId)) && (
    <Suspense fallback={<div className={styles.placeholder} />}>
      <OwnUploads {...props} />
    </Suspense>
  )
