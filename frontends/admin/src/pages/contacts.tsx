import type { Contact, ContactReply } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { getFormatLocale } from '@confetti/i18n'
import { Button, buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import Reply from 'lucide-react/icons/reply'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState, type Ref } from 'react'
import { contactsQuery, deleteContact } from '../features/contacts/contacts-api.ts'
import { ReplyForm } from '../features/contacts/reply-form.tsx'
import { PagedList } from '../features/paged-list/paged-list.tsx'
import { getText, useText } from '../texts.ts'
import styles from './contacts.module.css'

/** The replies to a message, oldest first. */
const ReplyList = ({ replies }: { replies: readonly ContactReply[] }) => {
  const t = useText()
  return (
    <ul className={styles.list} aria-label={t('admin.contacts.replies')}>
      {replies.map(({ _id, message, createdAt, adminEmail }) => (
        <li key={_id} className={styles.reply}>
          <p className={styles.by}>
            <bdi>{adminEmail || t('admin.contacts.erasedAccount')}</bdi> ·{' '}
            <time dateTime={createdAt}>{new Date(createdAt).toLocaleString(getFormatLocale())}</time>
          </p>
          <p dir="auto" className={styles.message}>
            {message}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** One message with its replies, a form to answer it, and a button that deletes it. */
const ContactCard = ({
  contact,
  headingRef,
  onDelete,
}: {
  contact: Contact
  headingRef?: Ref<HTMLHeadingElement> | undefined
  onDelete: () => void
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
      <p dir="auto" className={styles.contactCardMessage}>
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
          <div className={styles.actions}>
            <Button
              variant="secondary"
              icon={<Reply size={20} aria-hidden />}
              onClick={() => setIsReplying(true)}
            >
              {t('admin.contacts.reply')}
            </Button>
            <Button variant="outline" icon={<Trash2 size={20} aria-hidden />} onClick={onDelete}>
              {t('admin.contacts.delete')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

/** A card in the loading state. */
const ContactSkeleton = () => (
  <Card className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="min(16em, 60%)" height="26px" />
      <Skeleton width="9em" height="16px" />
    </div>
    <div className={styles.contactCardMessage}>
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

const NoContacts = () => {
  const t = useText()
  return (
    <EmptyState title={t('admin.contacts.empty.title')}>
      <p>{t('admin.contacts.empty.text')}</p>
      <Link to="/events/create" className={buttonClass()}>
        {t('admin.contacts.empty.create')}
      </Link>
    </EmptyState>
  )
}

const ContactList = () => {
  const t = useText()
  const client = useQueryClient()
  /** The message about which the dialog asks. */
  const [asked, setAsked] = useState<Contact>()
  const [isBusy, setIsBusy] = useState(false)

  const remove = async ({ _id }: Contact): Promise<void> => {
    setIsBusy(true)
    try {
      await deleteContact(client, _id)
      notify({ title: getText('admin.contacts.deleted') })
    } catch (error) {
      notifyError(getFailureText(error))
    }
    setAsked(undefined)
    setIsBusy(false)
  }

  return (
    <>
      <PagedList
        label={t('admin.contacts.list')}
        failureNotice={t('admin.contacts.failureNotice')}
        failureTitle={t('admin.contacts.failureTitle')}
        query={useInfiniteQuery(contactsQuery)}
        itemsOf={({ messages }) => messages}
        skeleton={<ContactSkeleton />}
        empty={<NoContacts />}
        renderItem={(contact, headingRef) => (
          <ContactCard contact={contact} headingRef={headingRef} onDelete={() => setAsked(contact)} />
        )}
      />
      <ConfirmDialog
        open={asked !== undefined}
        title={t('admin.contacts.delete.title')}
        text={t('admin.contacts.delete.text')}
        confirmLabel={t('admin.contacts.delete')}
        busy={isBusy}
        onConfirm={() => asked && void remove(asked)}
        onCancel={() => {
          if (!isBusy) setAsked(undefined)
        }}
      >
        {asked && (
          <p>
            <b>
              <bdi>{asked.subject}</bdi>
            </b>
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

export const Contacts = () => {
  const t = useText()
  return (
    <Page title={t('admin.contacts.title')} lead={t('admin.contacts.lead')}>
      <ContactList />
    </Page>
  )
}
