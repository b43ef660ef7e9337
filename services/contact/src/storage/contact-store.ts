import type { Contact } from '@confetti/contracts'
import { newMessage, withOutbox } from '@confetti/messaging'
import { Types } from 'mongoose'
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

/** The messages to the admins. `nudge` is called when a fact about one waits to be told. */
export const createContactStore = ({ contacts, nudge }: { contacts: ContactModel; nudge: () => void }) => ({
  /** Keeps a message together with the fact that it came. */
  add: async (contact: Pick<ContactDocument, keyof typeof fields>): Promise<Contact> => {
    const _id = new Types.ObjectId()
    const kept = toContact({ _id, ...contact })
    await contacts.create({ _id, ...contact, ...withOutbox(newMessage('contact.received.v1', kept)) })
    nudge()
    return kept
  },

  /** All of them, newest first. */
  list: async (): Promise<Contact[]> => {
    const found = await contacts.find({}, fields).sort({ createdAt: -1, _id: -1 }).lean()
    return found.map(toContact)
  },
})
export type ContactStore = ReturnType<typeof createContactStore>
