import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { ContactForm } from '../features/contact/contact-form.tsx'

export const ContactAdmin = () => {
  const user = useSession((session) => session.user)
  return (
    <Page
      title="Contact Admin - Request for new Event"
      lead="Say what you are planning and when. Your new event then appears under My Events."
    >
      {user && <ContactForm key={user._id} userId={user._id} />}
    </Page>
  )
}
