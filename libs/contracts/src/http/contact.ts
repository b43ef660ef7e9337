import { z } from 'zod'
import { entityId } from '../ids.ts'
import { defaultTextLimits, type TextLimits } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { requiredText } from '../text.ts'

const missing = 'Please fill in all fields.'

export const newContact = (limits: Pick<TextLimits, 'MAX_SUBJECT_CHARACTERS' | 'MAX_MESSAGE_CHARACTERS'>) =>
  z.object({
    subject: requiredText(
      limits.MAX_SUBJECT_CHARACTERS,
      missing,
      `The subject is longer than ${limits.MAX_SUBJECT_CHARACTERS} characters.`,
    ),
    message: requiredText(
      limits.MAX_MESSAGE_CHARACTERS,
      missing,
      `The message is longer than ${limits.MAX_MESSAGE_CHARACTERS} characters.`,
    ),
  })
export type NewContact = z.infer<ReturnType<typeof newContact>>

export const contact = z
  .object({
    _id: entityId('Message not found.'),
    subject: z.string(),
    message: z.string(),
    createdAt: z.iso.datetime(),
    userEmail: z.string(),
  })
  .meta({ id: 'Contact' })
export type Contact = z.infer<typeof contact>

export const contactAdmin = defineRoute({
  method: 'post',
  path: '/api/contact-admin',
  summary: 'Send the admins a message',
  access: 'user',
  body: newContact(defaultTextLimits),
  responses: { 201: z.object({ message: z.string(), contact }) },
})

export const listContacts = defineRoute({
  method: 'get',
  path: '/api/contact-admin',
  summary: 'The messages to the admins, newest first',
  access: 'admin',
  responses: { 200: z.object({ messages: z.array(contact) }) },
})
