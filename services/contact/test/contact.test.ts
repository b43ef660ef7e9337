import { randomUUID } from 'node:crypto'
import { contactAdmin, listContacts, type Contact } from '@confetti/contracts'
import {
  call,
  eventually,
  recordMessages,
  newAdmin,
  newOrganiser,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let recorded: RecordedMessages
let contact: string
let organiser: Account
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'contact'], replicas: { contact: 2 } })
  contact = system.url('contact')
  organiser = await newOrganiser(system.url('auth'))
  admin = await newAdmin(system, system.url('auth'))
  recorded = await recordMessages(system)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

const send = (body: unknown, token: string | undefined = organiser.token) =>
  call(contact, contactAdmin, { token, body })
const list = async (): Promise<Contact[]> =>
  (await call(contact, listContacts, { token: admin.token })).body.messages as Contact[]

test('When an organiser writes to the admins, then they can read it and contact.received is published', async () => {
  const text = { subject: `A wedding ${randomUUID()}`, message: 'In June.\nWith 80 guests.' }
  const before = Date.now()
  const { status, body } = await send(text)
  expect(status).toBe(201)
  expect(body.message).toBe('Your message has been sent to the admin.')
  expect(body.contact).toMatchObject({ ...text, userEmail: organiser.user.email })
  expect(Date.parse(body.contact.createdAt as string)).toBeGreaterThanOrEqual(before)

  expect(await list()).toContainEqual(body.contact)
  const message = await eventually(() =>
    recorded.ofType('contact.received.v1').find(({ data }) => data.subject === text.subject),
  )
  expect(message).toMatchObject({ source: '/services/contact', data: body.contact })
})

test('Messages are listed newest first, in a stable order', async () => {
  const runId = randomUUID()
  for (const subject of ['first', 'second', 'third'])
    await send({ subject: `${runId} ${subject}`, message: 'x' })
  await Promise.all(Array.from({ length: 5 }, () => send({ subject: `${runId} at once`, message: 'x' })))

  const ofThisRun = (contacts: Contact[]) => contacts.filter(({ subject }) => subject.startsWith(runId))
  const listed = ofThisRun(await list())
  expect(listed.slice(5).map(({ subject }) => subject)).toEqual([
    `${runId} third`,
    `${runId} second`,
    `${runId} first`,
  ])
  const newestFirst = [...listed].sort(
    (a, b) => b.createdAt.localeCompare(a.createdAt) || b._id.localeCompare(a._id),
  )
  expect(listed).toEqual(newestFirst)
  expect(ofThisRun(await list())).toEqual(listed)
})

test('When the list is read page by page, then it contains each message once, newest first', async () => {
  const subjects = ['first', 'second', 'third'].map((word) => `${randomUUID()} ${word}`)
  for (const subject of subjects) await send({ subject, message: 'x' })
  const paged: string[] = []
  let after: string | undefined
  do {
    const { body } = await call(contact, listContacts, {
      token: admin.token,
      query: { limit: '2', ...(after && { after }) },
    })
    expect(body.messages.length).toBeLessThanOrEqual(2)
    paged.push(...(body.messages as Contact[]).map(({ _id }) => _id))
    after = body.nextCursor as string | undefined
  } while (after)
  const listed = await list()
  expect(listed.slice(0, 3).map(({ subject }) => subject)).toEqual(subjects.toReversed())
  expect(paged).toEqual(listed.map(({ _id }) => _id))
})

test.each([{ limit: '0' }, { limit: '1001' }, { limit: 'many' }, { after: 'nonsense' }])(
  'When a page is requested with %j, then it is rejected',
  async (query) => {
    const { status } = await call(contact, listContacts, { token: admin.token, query })
    expect(status).toBe(400)
  },
)

test('Text of any script is trimmed, normalised to NFC, and keeps its line breaks', async () => {
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
  ['only control characters', { subject: '\u0000\u0001', message: 'x' }],
  ['values that are not text', { subject: 1, message: ['x'] }],
])('A message with %s is rejected', async (_, body) => {
  expect(await send(body)).toMatchObject({ status: 400, body: { message: 'Please fill in all fields.' } })
})

test('The limits count characters as code points', async () => {
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

test('The sender comes from the token, not from the body', async () => {
  const named = await send({ subject: 'x', message: 'x', userEmail: 'other@confetti.test' })
  expect([named.status, named.body.code]).toEqual([400, 'unknown_field'])
  const { body } = await send({ subject: 'x', message: 'x' })
  expect(body.contact.userEmail).toBe(organiser.user.email)
})

test('Only organisers can send messages, and only admins can list them', async () => {
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

test('Invalid JSON is 400, a body that is too large 413', async () => {
  const post = (body: string) =>
    fetch(new URL(contactAdmin.path, contact), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${organiser.token}` },
      body,
    })
  expect((await post('{"subject":')).status).toBe(400)
  expect((await post(JSON.stringify({ subject: 'x', message: 'x'.repeat(110_000) }))).status).toBe(413)
})
