import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { FindContact, ReplyToContact } from '../domain/reply-to-contact.ts'

export interface ReplyToContactDeps {
  findContact: FindContact
  replyToContact: ReplyToContact
  limits: contracts.ReplyLimits
}

export const replyToContactRoute = ({
  findContact,
  replyToContact,
  limits,
}: ReplyToContactDeps): Route<typeof contracts.replyToContact> => ({
  ...contracts.replyToContact,
  body: contracts.newReply(limits),
  checkAccess: ({ params }) => findContact(params.contactId),
  handle: async ({ params, body, principal }) => {
    const contact = await replyToContact(params.contactId, body.message, principal)
    return { status: 201, body: { message: 'Your reply has been saved.', contact } }
  },
})
