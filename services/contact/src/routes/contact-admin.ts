import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ContactAdmin } from '../domain/contact-admin.ts'

export interface ContactAdminDeps {
  contactAdmin: ContactAdmin
  limits: contracts.ContactLimits
}

export const contactAdminRoute = ({
  contactAdmin,
  limits,
}: ContactAdminDeps): Route<typeof contracts.contactAdmin> => ({
  ...contracts.contactAdmin,
  body: contracts.newContact(limits),
  handle: async ({ body, principal }) => {
    const contact = await contactAdmin(body, principal)
    return { status: 201, body: { message: 'Your message has been sent to the admin.', contact } }
  },
})
