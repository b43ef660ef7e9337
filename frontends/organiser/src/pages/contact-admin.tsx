import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { ContactForm } from '../features/contact/contact-form.tsx'

export const ContactAdmin = () => {
  const user = useSession((session) => session.user)
  return (
    <Page
      title="Contact Admin - Request for new Event"
      lead="Describe your event and its dates. When an admin has created it, it appears under My Events."
    >
      {user && <ContactForm key={user._id} userId={user._id} />}
    </Page>
  )
}
