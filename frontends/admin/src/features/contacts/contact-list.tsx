import { useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useErrorNotice } from '@confetti/ui/notify'
import { ContactCard, ContactSkeleton } from './contact-card.tsx'
import styles from './contact-list.module.css'
import { contactsQuery } from './contacts-api.ts'

const ContactListSkeleton = () => (
  <div className={styles.list}>
    <ContactSkeleton />
    <ContactSkeleton />
    <ContactSkeleton />
  </div>
)

const NoContacts = () => (
  <EmptyState title="No contact messages found.">
    <p>
      Messages that organisers send under Contact Admin appear here. You can create an event for them at any
      time.
    </p>
    <Link to="/events/create" className={buttonClass()}>
      Create an event
    </Link>
  </EmptyState>
)

const focus = (element: HTMLElement | null): void => element?.focus()

export const ContactList = () => {
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(contactsQuery)
  const contacts = data?.pages.flatMap(({ messages }) => messages)
  /** The first message of the page that 'Load more' has loaded. It gets the focus when it appears. */
  const [firstOfPage, setFirstOfPage] = useState<number>()
  const region = useRef<HTMLElement>(null)
  useErrorNotice(isError ? 'Failed to fetch contact messages.' : undefined)

  const retry = (): void => {
    void refetch()
    // The Retry button disappears; the focus moves to where the messages appear.
    region.current?.focus()
  }

  const loadMore = (): void => {
    if (isFetchingNextPage) return
    setFirstOfPage(contacts?.length)
    void fetchNextPage()
  }

  return (
    <section ref={region} tabIndex={-1} aria-label="Messages" aria-busy={isPending} className={styles.region}>
      {isPending && <ContactListSkeleton />}
      {isError && !contacts && (
        <EmptyState title="Couldn't load messages.">
          <p>Check your connection and try again.</p>
          <Button onClick={retry}>Retry</Button>
        </EmptyState>
      )}
      {contacts?.length === 0 && <NoContacts />}
      {contacts && contacts.length > 0 && (
        <ul className={styles.list}>
          {contacts.map((contact, index) => (
            <ContactCard
              key={contact._id}
              contact={contact}
              headingRef={index === firstOfPage ? focus : undefined}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          className={styles.more}
          aria-disabled={isFetchingNextPage}
          onClick={loadMore}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load more'}
        </Button>
      )}
    </section>
  )
}
