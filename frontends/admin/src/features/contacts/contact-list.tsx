import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { PagedList } from '../paged-list/paged-list.tsx'
import { ContactCard, ContactSkeleton } from './contact-card.tsx'
import { contactsQuery } from './contacts-api.ts'

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

export const ContactList = () => (
  <PagedList
    label="Messages"
    things="contact messages"
    query={useInfiniteQuery(contactsQuery)}
    itemsOf={({ messages }) => messages}
    skeleton={<ContactSkeleton />}
    empty={<NoContacts />}
    renderItem={(contact, headingRef) => <ContactCard contact={contact} headingRef={headingRef} />}
  />
)
