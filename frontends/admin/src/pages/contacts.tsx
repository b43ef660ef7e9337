import { Page } from '@confetti/ui/page'
import { ContactList } from '../features/contacts/contact-list.tsx'

export const Contacts = () => (
  <Page title="User Contact Messages" lead="Messages from organisers, newest first.">
    <ContactList />
  </Page>
)
