import { contactAdmin, deleteContact, listContacts, replyToContact, type Contact } from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let recorded: RecordedMessages
let url: string
let organiser: Account
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'contact'],
    replicas: { contact: 2 },
    environment: { contact: { MAX_MESSAGE_CHARACTERS: '100' } },
  })
  url = system.url('contact')
  organiser = await newOrganiser(system.url('auth'))
  admin = await newAdmin(system, system.url('auth'))
  recorded = await recordMessages(system)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

const send = async (): Promise<Contact> => {
  const body = { subject: 'A second day', message: 'Could we have Sunday as well?' }
  return (await call(url, contactAdmin, { token: organiser.token, body })).body.contact as Contact
}
const reply = (contactId: string, body: unknown, token: string | undefined = admin.token) =>
  call(url, replyToContact, { token, params: { contactId }, body })
const find = async (contactId: string): Promise<Contact | undefined> => {
  const { body } = await call(url, listContacts, { token: admin.token, query: { limit: '1000' } })
  return (body.messages as Contact[]).find(({ _id }) => _id === contactId)
}

test('When an admin answers a message, then the thread has the reply, and contact.replied is published', async () => {
  const contact = await send()
  expect(contact).not.toHaveProperty('replies')
  const first = await reply(contact._id, { message: '  Of course.\nIt is set up. ' })
  expect(first.status).toBe(201)
  expect(first.body.message).toBe('Your reply has been saved.')
  const second = await reply(contact._id, { message: 'Anything else?' })
  expect(second.body.contact).toMatchObject({
    ...contact,
    replies: [
      { message: 'Of course.\nIt is set up.', adminEmail: admin.user.email },
      { message: 'Anything else?', adminEmail: admin.user.email },
    ],
  })
  expect(await find(contact._id)).toEqual(second.body.contact)
  const { data } = await eventually(
    () =>
      recorded
        .ofType('contact.replied.v1')
        .find((sent) => sent.data.contactId === contact._id && sent.data.message === 'Anything else?'),
    'the message of the second reply',
  )
  const { _id: userId, email: userEmail } = organiser.user
  expect(data).toMatchObject({ subject: 'A second day', userId, userEmail })
})

test('When an admin deletes a message, then it is gone with its replies, and the audit log has it', async () => {
  const [contact, other] = [await send(), await send()]
  await reply(contact._id, { message: 'Of course.' })
  const remove = (token: string | undefined) =>
    call(url, deleteContact, { token, params: { contactId: contact._id } })
  expect((await remove(organiser.token)).status).toBe(403)
  expect(await remove(admin.token)).toMatchObject({
    status: 200,
    body: { message: 'Message deleted successfully' },
  })
  expect(await find(contact._id)).toBeUndefined()
  expect(await find(other._id)).toBeDefined()
  expect((await remove(admin.token)).status).toBe(404)
  const { data } = await eventually(
    () => recorded.ofType('audit.recorded.v1').find(({ data }) => data.action === 'contact.deleted'),
    'the entry of the audit log',
  )
  expect(data).toMatchObject({
    subject: { type: 'contact', id: contact._id },
    actor: { _id: admin.user._id },
  })
})

test('When a message does not exist, then a reply to it is rejected', async () => {
  for (const id of ['nonsense', 'b'.repeat(24)])
    expect(await reply(id, { message: 'x' })).toMatchObject({
      status: 404,
      body: { message: 'Message not found.' },
    })
})

test('When a reply is missing, blank or too long, then it is rejected', async () => {
  const { _id } = await send()
  for (const body of [{}, { message: ' \n' }, { message: 1 }])
    expect(await reply(_id, body)).toMatchObject({ status: 400, body: { message: 'Please enter a reply.' } })
  expect((await reply(_id, { message: 'x'.repeat(101) })).body.message).toBe(
    'The message is longer than 100 characters.',
  )
  expect((await reply(_id, { message: '🎉'.repeat(100) })).status).toBe(201)
})

test('Only admins can answer', async () => {
  const { _id } = await send()
  expect((await reply(_id, { message: 'x' }, organiser.token)).status).toBe(403)
  expect((await reply(_id, { message: 'x' }, 'no.such.token')).status).toBe(401)
  expect(await find(_id)).not.toHaveProperty('replies')
})

test('When a message has 50 replies, then further ones are rejected, also concurrent ones', async () => {
  const { _id } = await send()
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, n) => reply(_id, { message: `Reply ${n}` })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
  const [rejected] = answers.filter(({ status }) => status !== 201)
  expect(rejected).toMatchObject({ status: 409, body: { code: 'too_many_replies' } })
  expect((await find(_id))?.replies).toHaveLength(50)
})
