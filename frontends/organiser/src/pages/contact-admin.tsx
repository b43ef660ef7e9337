import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { ContactForm } from '../features/contact/contact-form.tsx'
import { useText } from '../texts.ts'

export const ContactAdmin = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  return (
    <Page title={t('organiser.contact.title')} lead={t('organiser.contact.lead')}>
      {user && <ContactForm key={user._id} userId={user._id} />}
    </Page>
  )
}
