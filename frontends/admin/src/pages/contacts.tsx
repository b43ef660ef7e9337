import { Page } from '@confetti/ui/page'
import { ContactList } from '../features/contacts/contact-list.tsx'

export const Contacts = () => (
  <Page title="User Contact Messages" lead="What organisers have asked for, newest first.">
    <ContactList />
  </Page>
)
