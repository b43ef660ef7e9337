import type { Contact } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './contact-card.module.css'

/** One message, with the way to answer it. */
export const ContactCard = ({
  contact: { subject, message, createdAt, userEmail },
}: {
  contact: Contact
}) => (
  <Card as="li" className={styles.card}>
    <div className={styles.top}>
      <h2>{subject}</h2>
      <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
    </div>
    <p className={styles.message}>{message}</p>
    <p className={styles.from}>
      From <a href={`mailto:${userEmail}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>{userEmail}</a>
    </p>
  </Card>
)

/** Where a message is coming. */
export const ContactSkeleton = () => (
  <Card className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="min(16em, 60%)" height="26px" />
      <Skeleton width="9em" height="16px" />
    </div>
    <div className={styles.message}>
      <Skeleton height="16px" />
      <Skeleton width="72%" height="16px" />
    </div>
    <div className={styles.from}>
      <div className={styles.coming}>
        <Skeleton width="13em" height="16px" />
      </div>
    </div>
  </Card>
)
