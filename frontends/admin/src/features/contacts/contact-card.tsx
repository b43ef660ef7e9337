import type { Ref } from 'react'
import type { Contact } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './contact-card.module.css'

/** One message with a link to reply by e-mail. */
export const ContactCard = ({
  contact: { subject, message, createdAt, userEmail },
  headingRef,
}: {
  contact: Contact
  headingRef?: Ref<HTMLHeadingElement> | undefined
}) => (
  <Card as="li" className={styles.card}>
    <div className={styles.top}>
      <h2 ref={headingRef} tabIndex={-1}>
        {subject}
      </h2>
      <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
    </div>
    <p className={styles.message}>{message}</p>
    <p className={styles.from}>
      From <a href={`mailto:${userEmail}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>{userEmail}</a>
    </p>
  </Card>
)

/** A card in the loading state. */
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
      <div className={styles.emailSkeleton}>
        <Skeleton width="13em" height="16px" />
      </div>
    </div>
  </Card>
)
