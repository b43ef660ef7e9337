import type { Ref } from 'react'
import type { AuditEntry } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './audit-card.module.css'
import { actorOf, detailLines, labelOf } from './audit-text.ts'

/** The event or other thing that an entry concerns. A deleted event has no page. */
const AuditSubject = ({ entry: { action, subject, eventId } }: { entry: AuditEntry }) => {
  const eventLink = (
    <>event {action === 'event.deleted' ? eventId : <Link to={`/events/${eventId}`}>{eventId}</Link>}</>
  )
  if (eventId === undefined) return `${subject.type} ${subject.id}`
  return subject.id === eventId ? (
    eventLink
  ) : (
    <>
      {subject.type} {subject.id}, {eventLink}
    </>
  )
}

/** One entry: what happened, who did it from where, and to what. */
export const AuditCard = ({
  entry,
  headingRef,
}: {
  entry: AuditEntry
  headingRef: Ref<HTMLHeadingElement> | undefined
}) => {
  const { action, at, address } = entry
  const details = detailLines(entry)
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.top}>
        <h2 ref={headingRef} tabIndex={-1}>
          {labelOf(action)}
        </h2>
        <time dateTime={at}>{new Date(at).toLocaleString()}</time>
      </div>
      <p className={styles.actor}>
        By {actorOf(entry)}
        {address && ` from ${address}`}
      </p>
      <p className={styles.subject}>
        <AuditSubject entry={entry} />
      </p>
      {details.length > 0 && (
        <ul className={styles.details}>
          {details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** An entry in the loading state. */
export const AuditSkeleton = () => (
  <Card className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="min(12em, 60%)" height="22px" />
      <Skeleton width="9em" height="16px" />
    </div>
    <Skeleton width="min(20em, 80%)" height="16px" />
    <Skeleton width="15em" height="16px" />
  </Card>
)
