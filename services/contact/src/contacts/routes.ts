import {
  newContact,
  newReply,
  serviceRoutes,
  type ContactLimits,
  type ReplyLimits,
} from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import type { Contacts } from './contacts.ts'

/** The contracts with the configured limits of texts. */
export const contactContracts = (limits: ContactLimits & ReplyLimits) => ({
  ...serviceRoutes.contact,
  contactAdmin: { ...serviceRoutes.contact.contactAdmin, body: newContact(limits) },
  replyToContact: { ...serviceRoutes.contact.replyToContact, body: newReply(limits) },
})

export const contactRoutes = (contacts: Contacts): Handlers<typeof serviceRoutes.contact> => ({
  contactAdmin: async ({ body, principal }) => ({
    message: 'Your message has been sent to the admin.',
    contact: await contacts.send(body, principal),
  }),
  listContacts: ({ query }) => contacts.list(query),
  deleteContact: async ({ params }) => {
    await contacts.remove(params.contactId)
    return { message: 'Message deleted successfully' }
  },
  replyToContact: {
    check: ({ params }) => contacts.get(params.contactId),
    handle: async ({ params, body, principal }) => ({
      message: 'Your reply has been saved.',
      contact: await contacts.reply(params.contactId, body.message, principal),
    }),
  },
})
