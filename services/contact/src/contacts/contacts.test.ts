import { createErasedIds, createLogger } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createContactModel, createContactStore, createMessageQuotaStore } from '../storage/contact-store.ts'
import { createContacts } from './contacts.ts'

const DAY_MS = 24 * 3_600_000
const sender = { userId: 'a'.repeat(24), email: 'organiser@confetti.test' }

const start = async () => {
  const memory = createMemoryDatabase()
  const database = memory.connect()
  const model = createContactModel(database)
  let now = new Date('2026-06-01T12:00:00Z')
  const clock = () => now
  const contacts = createContacts({
    config: { USER_MESSAGES_PER_HOUR: 20, CONTACT_RETENTION_DAYS: 30 },
    contacts: createContactStore(model, () => undefined),
    quotas: createMessageQuotaStore(database),
    erasedIds: await createErasedIds(database, clock),
    clock,
    logger: createLogger('test', 'fatal'),
  } as unknown as Parameters<typeof createContacts>[0])
  return {
    contacts,
    /** How many messages have one about them that is not published yet, which makes a mail to the admins. */
    countMailed: () => model.countDocuments({ outboxPending: true }),
    stored: () => JSON.stringify(memory.read('contacts')),
    wait: (days: number) => (now = new Date(now.getTime() + days * DAY_MS)),
    /** As the relay does. */
    publishOutboxes: () => model.updateMany({}, { $set: { outbox: [], outboxPending: false } }),
  }
}

test('When a message is older than messages are kept, then a sweep removes it, once it has been announced', async () => {
  const { contacts, stored, wait, publishOutboxes } = await start()
  await contacts.send({ subject: 'Old', message: 'Hello' }, sender)
  wait(31)
  await contacts.sweep()
  expect(stored()).toContain('Old')
  await contacts.send({ subject: 'New', message: 'Hello' }, sender)
  await publishOutboxes()
  await contacts.sweep()
  expect(stored()).not.toContain('Old')
  expect((await contacts.list({ limit: 10 })).messages.map(({ subject }) => subject)).toEqual(['New'])
})

test('When a message is deleted, then nothing of its text is left at once, and nothing at all once the audit log knows', async () => {
  const { contacts, stored, publishOutboxes } = await start()
  const { _id } = await contacts.send({ subject: 'Secret', message: 'Sunday' }, sender)
  await publishOutboxes()
  await contacts.remove(_id)
  for (const text of ['Secret', 'Sunday', sender.email]) expect(stored()).not.toContain(text)
  expect(await contacts.list({ limit: 10 })).toEqual({ messages: [] })
  expect(stored()).toContain('contact.deleted')
  const gone = { code: 'contact_not_found' }
  await expect(contacts.remove(_id)).rejects.toMatchObject(gone)
  await expect(contacts.reply(_id, 'Yes.', sender)).rejects.toMatchObject(gone)
  await contacts.sweep()
  expect(stored()).toContain(_id)
  await publishOutboxes()
  await contacts.sweep()
  expect(stored()).toBe('[]')
})

test('When many accounts send messages, then 60 an hour are mailed to the admins, who see all of them', async () => {
  const { contacts, countMailed, wait } = await start()
  const sendAll = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1)
      await contacts.send(
        { subject: 'Hello', message: 'Please.' },
        { ...sender, userId: String(n).padStart(24, '0') },
      )
  }
  await sendAll(62)
  expect(await countMailed()).toBe(60)
  expect((await contacts.list({ limit: 100 })).messages).toHaveLength(62)
  wait(1 / 24)
  await sendAll(1)
  expect(await countMailed()).toBe(61)
})
