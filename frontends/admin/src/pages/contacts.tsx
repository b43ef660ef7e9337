import { Page } from '@confetti/ui/page'
import { ContactList } from '../features/contacts/contact-list.tsx'
import { useText } from '../texts.ts'

export const Contacts = () => {
  const t = useText()
  return (
    <Page title={t('admin.contacts.title')} lead={t('admin.contacts.lead')}>
      <ContactList />
    </Page>
  )
}
