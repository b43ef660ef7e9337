import { z } from 'zod'
import { entityId } from '../ids.ts'
import { DEFAULT_PAGE_SIZE } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { defaultTextLimits, tooLongMessage, type TextLimits } from '../text-limits.ts'
import { requiredText } from '../text.ts'
import { messageResponse, page } from './errors.ts'

const missing = 'Please fill in all fields.'

export type ContactLimits = Pick<TextLimits, 'MAX_SUBJECT_CHARACTERS' | 'MAX_MESSAGE_CHARACTERS'>

export const newContact = (limits: ContactLimits) =>
  z.object({
    subject: requiredText(
      limits.MAX_SUBJECT_CHARACTERS,
      missing,
      tooLongMessage('subject', limits.MAX_SUBJECT_CHARACTERS),
    ),
    message: requiredText(
      limits.MAX_MESSAGE_CHARACTERS,
      missing,
      tooLongMessage('message', limits.MAX_MESSAGE_CHARACTERS),
    ),
  })
export type NewContact = z.infer<ReturnType<typeof newContact>>

const contactId = entityId('Message not found.')

/** An admin's answer to a message. */
export const contactReply = z
  .object({
    _id: entityId('Reply not found.'),
    message: z.string(),
    createdAt: z.iso.datetime(),
    adminEmail: z.string(),
  })
  .meta({ id: 'ContactReply' })
export type ContactReply = z.infer<typeof contactReply>

export const contact = z
  .object({
    _id: contactId,
    subject: z.string(),
    message: z.string(),
    createdAt: z.iso.datetime(),
    userEmail: z.string(),
    /** Oldest first. Absent if there is none. */
    replies: z.array(contactReply).optional(),
  })
  .meta({ id: 'Contact' })
export type Contact = z.infer<typeof contact>

export const contactAdmin = defineRoute({
  method: 'post',
  path: '/api/contact-admin',
  summary: 'Send a message to the admins',
  access: 'user',
  body: newContact(defaultTextLimits),
  responses: { 201: z.object({ message: z.string(), contact }) },
  errors: [429],
})

const missingReply = 'Please enter a reply.'

export type ReplyLimits = Pick<ContactLimits, 'MAX_MESSAGE_CHARACTERS'>

export const newReply = (limits: ReplyLimits) =>
  z.object({
    message: requiredText(
      limits.MAX_MESSAGE_CHARACTERS,
      missingReply,
      tooLongMessage('message', limits.MAX_MESSAGE_CHARACTERS),
    ),
  })

export const replyToContact = defineRoute({
  method: 'post',
  path: '/api/contacts/{contactId}/replies',
  summary: 'Answer a message to the admins; its sender gets the reply by mail, unless mail is off',
  access: 'admin',
  params: z.object({ contactId }),
  body: newReply(defaultTextLimits),
  responses: { 201: z.object({ message: z.string(), contact }) },
  errors: [409],
})

const contactList = z.object({ messages: z.array(contact), nextCursor: z.string().optional() })
export type ContactList = z.infer<typeof contactList>

export const listContacts = defineRoute({
  method: 'get',
  path: '/api/contact-admin',
  summary: `List the messages to the admins, newest first, at most ${DEFAULT_PAGE_SIZE} at once without a limit`,
  access: 'admin',
  query: page,
  responses: { 200: contactList },
})

export const deleteContact = defineRoute({
  method: 'delete',
  path: '/api/contacts/{contactId}',
  summary: 'Delete a message to the admins with its replies',
  access: 'admin',
  params: z.object({ contactId }),
  responses: { 200: messageResponse },
})

export const contactRoutes = { contactAdmin, listContacts, replyToContact, deleteContact }
