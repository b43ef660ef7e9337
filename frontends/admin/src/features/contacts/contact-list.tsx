import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from '../../texts.ts'
import { PagedList } from '../paged-list/paged-list.tsx'
import { ContactCard, ContactSkeleton } from './contact-card.tsx'
import { contactsQuery } from './contacts-api.ts'

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

export const ContactList = () => {
  const t = useText()
  return (
    <PagedList
      label={t('admin.contacts.list')}
      failureNotice={t('admin.contacts.failureNotice')}
      failureTitle={t('admin.contacts.failureTitle')}
      query={useInfiniteQuery(contactsQuery)}
      itemsOf={({ messages }) => messages}
      skeleton={<ContactSkeleton />}
      empty={<NoContacts />}
      renderItem={(contact, headingRef) => <ContactCard contact={contact} headingRef={headingRef} />}
    />
  )
}
