import type { Contact } from '@confetti/contracts'
import { newMessage, newOutbox } from '@confetti/messaging'
import { findPage } from '@confetti/service-kit'
import { Types } from 'mongoose'
import type { ContactStore } from '../domain/contact.ts'
import type { ContactDocument, ContactModel } from './contact-model.ts'

const fields = { subject: 1, message: 1, createdAt: 1, userEmail: 1 } as const

const toContact = ({
  _id,
  subject,
  message,
  createdAt,
  userEmail,
}: Pick<ContactDocument, '_id' | keyof typeof fields>): Contact => ({
  _id: _id.toHexString(),
  subject,
  message,
  createdAt: createdAt.toISOString(),
  userEmail,
})

/** `wakeRelay` is called when a message has been added to the outbox. */
export const createContactStore = ({
  model,
  wakeRelay,
}: {
  model: ContactModel
  wakeRelay: () => void
}): ContactStore => ({
  add: async (unsaved) => {
    const _id = new Types.ObjectId()
    const contact = toContact({ _id, ...unsaved })
    await model.create({ _id, ...unsaved, ...newOutbox(newMessage('contact.received.v1', contact)) })
    wakeRelay()
    return contact
  },

  list: async (request) => {
    const { documents, next } = await findPage<ContactDocument>(
      model,
      { filter: {}, time: 'createdAt', projection: fields },
      request,
    )
    return { contacts: documents.map(toContact), ...(next && { next }) }
  },
})
