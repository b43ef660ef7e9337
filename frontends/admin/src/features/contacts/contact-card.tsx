import { useRef, useState, type Ref } from 'react'
import Reply from 'lucide-react/icons/reply'
import type { Contact } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import { useText } from '../../texts.ts'
import styles from './contact-card.module.css'
import { ReplyForm } from './reply-form.tsx'
import { ReplyList } from './reply-list.tsx'

/** One message with its replies, and a form to answer it. */
export const ContactCard = ({
  contact,
  headingRef,
}: {
  contact: Contact
  headingRef?: Ref<HTMLHeadingElement> | undefined
}) => {
  const t = useText()
  const { subject, message, createdAt, userEmail, replies = [] } = contact
  const [isReplying, setIsReplying] = useState(false)
  const container = useRef<HTMLDivElement>(null)

  const close = (): void => {
    setIsReplying(false)
    // The form disappears; the focus moves to where it was opened.
    container.current?.focus()
  }

  return (
    <Card as="li" className={styles.card}>
      <div className={styles.top}>
        <h2 ref={headingRef} tabIndex={-1}>
          <bdi>{subject}</bdi>
        </h2>
        <time dateTime={createdAt}>{new Date(createdAt).toLocaleString(getFormatLocale())}</time>
      </div>
      <p dir="auto" className={styles.message}>
        {message}
      </p>
      <p className={styles.from}>
        {t('admin.contacts.from')}{' '}
        <a href={`mailto:${userEmail}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>{userEmail}</a>
      </p>
      {replies.length > 0 && <ReplyList replies={replies} />}
      <div
        ref={container}
        tabIndex={-1}
        role="group"
        aria-label={t('admin.contacts.replyTo', { subject })}
        className={styles.replyArea}
      >
        {isReplying ? (
          <ReplyForm contact={contact} onClose={close} />
        ) : (
          <Button
            variant="secondary"
            icon={<Reply size={20} aria-hidden />}
            onClick={() => setIsReplying(true)}
          >
            {t('admin.contacts.reply')}
          </Button>
        )}
      </div>
    </Card>
  )
}

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
