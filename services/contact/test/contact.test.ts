import { randomUUID } from 'node:crypto'
import { contactAdmin, listContacts, type Contact } from '@confetti/contracts'
import {
  call,
  eventually,
  hearMessages,
  newAdmin,
  newOrganiser,
  startTestSystem,
  type Account,
  type HeardMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let heard: HeardMessages
let contact: string
let organiser: Account
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'contact'], replicas: { contact: 2 } })
  contact = system.url('contact')
  organiser = await newOrganiser(system.url('auth'))
  admin = await newAdmin(system, system.url('auth'))
  heard = await hearMessages(system)
})
afterAll(async () => {
  await heard.close()
  await system.stop()
})

const send = (body: unknown, token: string | undefined = organiser.token) =>
  call(contact, contactAdmin, { token, body })
const list = async (): Promise<Contact[]> =>
  (await call(contact, listContacts, { token: admin.token })).body.messages as Contact[]

test('When an organiser writes to the admins, then they read it and the other services hear it', async () => {
  const text = { subject: `A wedding ${randomUUID()}`, message: 'In June.\nWith 80 guests.' }
  const before = Date.now()
  const { status, body } = await send(text)
  expect(status).toBe(201)
  expect(body.message).toBe('Your message has been sent to the admin.')
  expect(body.contact).toMatchObject({ ...text, userEmail: organiser.user.email })
  expect(Date.parse(body.contact.createdAt as string)).toBeGreaterThanOrEqual(before)

  expect(await list()).toContainEqual(body.contact)
  const message = await eventually(() =>
    heard.of('contact.received.v1').find(({ data }) => data.subject === text.subject),
  )
  expect(message).toMatchObject({ source: '/services/contact', data: body.contact })
})

test('The newest message comes first, and the order is always the same', async () => {
  const run = randomUUID()
  for (const subject of ['first', 'second', 'third'])
    await send({ subject: `${run} ${subject}`, message: 'x' })
  await Promise.all(Array.from({ length: 5 }, () => send({ subject: `${run} at once`, message: 'x' })))

  const mine = (contacts: Contact[]) => contacts.filter(({ subject }) => subject.startsWith(run))
  const listed = mine(await list())
  expect(listed.slice(5).map(({ subject }) => subject)).toEqual([
    `${run} third`,
    `${run} second`,
    `${run} first`,
  ])
  const newestFirst = [...listed].sort(
    (a, b) => b.createdAt.localeCompare(a.createdAt) || b._id.localeCompare(a._id),
  )
  expect(listed).toEqual(newestFirst)
  expect(mine(await list())).toEqual(listed)
})

test('Text is trimmed and NFC, of any script, and keeps its lines', async () => {
  const { body } = await send({
    subject: '  Cafe\u0301 🎉 婚禮 \u0000 ',
    message: '\r\n\tline one\r\nline two\u0007\ud800\n',
  })
  expect(body.contact).toMatchObject({
    subject: 'Caf\u00e9 🎉 婚禮',
    message: 'line one\nline two\ufffd',
  })
  expect(await list()).toContainEqual(body.contact)
})

test.each([
  ['no fields', {}],
  ['no subject', { message: 'x' }],
  ['no message', { subject: 'x' }],
  ['an empty subject', { subject: '', message: 'x' }],
  ['a blank message', { subject: 'x', message: ' \t\r\n\u00a0' }],
  ['control characters alone', { subject: '\u0000\u0001', message: 'x' }],
  ['no text', { subject: 1, message: ['x'] }],
])('A message with %s is refused', async (_, body) => {
  expect(await send(body)).toMatchObject({ status: 400, body: { message: 'Please fill in all fields.' } })
})

test('The limits count what a person would call characters', async () => {
  const longest = { subject: '🎉'.repeat(200), message: '🎉'.repeat(5_000) }
  expect((await send({ ...longest, subject: `  ${longest.subject}  ` })).status).toBe(201)
  expect(await send({ ...longest, subject: `${longest.subject}x` })).toMatchObject({
    status: 400,
    body: { message: 'The subject is longer than 200 characters.' },
  })
  expect(await send({ ...longest, message: `${longest.message}x` })).toMatchObject({
    status: 400,
    body: { message: 'The message is longer than 5000 characters.' },
  })
})

test('The sender is who the token says, whatever the body says', async () => {
  const { body } = await send({ subject: 'x', message: 'x', userEmail: 'other@confetti.test', _id: 'x' })
  expect(body.contact.userEmail).toBe(organiser.user.email)
})

test('Admins write no messages, organisers read none, strangers do neither', async () => {
  const text = { subject: 'x', message: 'x' }
  expect(await send(text, admin.token)).toMatchObject({ status: 403, body: { code: 'wrong_role' } })
  expect(await call(contact, listContacts, { token: organiser.token })).toMatchObject({
    status: 403,
    body: { code: 'wrong_role' },
  })
  for (const contract of [contactAdmin, listContacts])
    for (const token of [undefined, 'no.token.atall', `${organiser.token}x`])
      expect(
        await call(contact, contract, { token, ...(contract === contactAdmin && { body: text }) }),
      ).toMatchObject({
        status: 401,
        body: { message: 'Please sign in.' },
      })
})

test('A body that is no JSON is 400, one that is too large 413', async () => {
  const post = (body: string) =>
    fetch(new URL(contactAdmin.path, contact), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${organiser.token}` },
      body,
    })
  expect((await post('{"subject":')).status).toBe(400)
  expect((await post(JSON.stringify({ subject: 'x', message: 'x'.repeat(110_000) }))).status).toBe(413)
})
