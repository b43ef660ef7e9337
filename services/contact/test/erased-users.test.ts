import { randomUUID } from 'node:crypto'
import { contactAdmin, listContacts, replyToContact, type Contact } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
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
import mongoose, { type Connection } from 'mongoose'

let system: TestSystem
let recorded: RecordedMessages
let database: Connection
let contact: string
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'contact'], replicas: { contact: 2 } })
  contact = system.url('contact')
  admin = await newAdmin(system, system.url('auth'))
  recorded = await recordMessages(system)
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'contact'))
    .asPromise()
})
afterAll(async () => {
  await database.close()
  await recorded.close()
  await system.stop()
})

const send = async ({ token }: Account): Promise<Contact> => {
  const body = { subject: 'A question', message: 'May I?' }
  return (await call(contact, contactAdmin, { token, body })).body.contact as Contact
}
const reply = (contactId: string, { token }: Account) =>
  call(contact, replyToContact, { token, params: { contactId }, body: { message: 'You may.' } })
const list = async (): Promise<Contact[]> =>
  (await call(contact, listContacts, { token: admin.token, query: { limit: '1000' } })).body
    .messages as Contact[]
const publishDeletion = ({ user: { _id, email } }: Account) =>
  recorded.publish({
    specversion: '1.0',
    id: randomUUID(),
    type: 'user.deleted.v1',
    source: '/services/auth',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { _id, email },
  })
const waitUntilNothingHas = (text: string) =>
  eventually(async () => {
    for (const { name } of await database.listCollections())
      if (JSON.stringify(await database.collection(name).find().toArray()).includes(text)) return false
    return true
  }, `nothing with ${text}`)

test('When an account is erased, then its messages and its address in replies are gone, and others stay', async () => {
  const auth = system.url('auth')
  const [sender, other] = [await newOrganiser(auth), await newOrganiser(auth)]
  const otherAdmin = await newAdmin(system, auth)
  await send(sender)
  const kept = await send(other)
  await reply(kept._id, otherAdmin)
  await reply(kept._id, admin)

  await publishDeletion(sender)
  await publishDeletion(otherAdmin)
  for (const { user } of [sender, otherAdmin])
    for (const text of [user.email, user._id]) await waitUntilNothingHas(text)
  const found = (await list()).find(({ _id }) => _id === kept._id)
  expect(found?.replies?.map(({ adminEmail }) => adminEmail)).toEqual(['', admin.user.email])
})

test('When several admins are erased at once who have answered the same messages, then none of them stays in a reply', async () => {
  const auth = system.url('auth')
  const sender = await newOrganiser(auth)
  const contacts = await Promise.all(Array.from({ length: 5 }, () => send(sender)))
  const admins = await Promise.all(Array.from({ length: 6 }, () => newAdmin(system, auth)))
  for (const { _id } of contacts) for (const account of admins) await reply(_id, account)

  await Promise.all(admins.map((account) => publishDeletion(account)))
  for (const { user } of admins) for (const text of [user.email, user._id]) await waitUntilNothingHas(text)
})

test('When a message is sent with a token that outlives its account, then it is not kept', async () => {
  const sender = await newOrganiser(system.url('auth'))
  await send(sender)
  await publishDeletion(sender)
  await waitUntilNothingHas(sender.user._id)
  expect(await send(sender)).toMatchObject({ userEmail: sender.user.email })
  await waitUntilNothingHas(sender.user._id)
})

test('When an admin answers with a token that outlives the account, then the reply stays without its author', async () => {
  const otherAdmin = await newAdmin(system, system.url('auth'))
  const contact = await send(await newOrganiser(system.url('auth')))
  await reply(contact._id, otherAdmin)
  await publishDeletion(otherAdmin)
  await waitUntilNothingHas(otherAdmin.user._id)
  await reply(contact._id, otherAdmin)
  await waitUntilNothingHas(otherAdmin.user.email)
  const found = (await list()).find(({ _id }) => _id === contact._id)
  expect(found?.replies?.map(({ adminEmail }) => adminEmail)).toEqual(['', ''])
})
