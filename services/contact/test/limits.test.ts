import { contactAdmin, listContacts } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { call, newAdmin, newOrganiser, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'

let system: TestSystem
let contact: string
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'contact'],
    replicas: { contact: 2 },
    environment: { contact: { MAX_SUBJECT_CHARACTERS: '3', MAX_MESSAGE_CHARACTERS: '4' } },
  })
  contact = system.url('contact')
})
afterAll(() => system.stop())

const inDatabase = async <T>(work: (connection: mongoose.Connection) => Promise<T>): Promise<T> => {
  const url = databaseUrl(system.backends.mongo, system.namespace, 'contact')
  const connection = await mongoose.createConnection(url).asPromise()
  return work(connection).finally(() => connection.close())
}

test('When other limits are configured, then they apply', async () => {
  const { token } = await newOrganiser(system.url('auth'))
  const send = (subject: string, message: string) =>
    call(contact, contactAdmin, { token, body: { subject, message } })
  expect((await send('abc', 'abcd')).status).toBe(201)
  expect((await send('abcd', 'abcd')).body.message).toBe('The subject is longer than 3 characters.')
  expect((await send('abc', 'abcde')).body.message).toBe('The message is longer than 4 characters.')
})

test('When a user sends too many messages in an hour, to any replica, then the others are rejected until it is over', async () => {
  const { token, user } = await newOrganiser(system.url('auth'))
  const send = (sender = token) =>
    call(contact, contactAdmin, { token: sender, body: { subject: 'x', message: 'x' } })
  const answers = await Promise.all(Array.from({ length: 25 }, () => send()))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(5).fill(429)])

  const rejected = await send()
  expect(rejected).toMatchObject({
    status: 429,
    body: {
      code: 'too_many_requests',
      message: 'You can send at most 20 messages per hour. Please try again later.',
    },
  })
  const retryAfterSeconds = Number(rejected.headers.get('Retry-After'))
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(3_600)
  expect((await send((await newOrganiser(system.url('auth'))).token)).status).toBe(201)

  await inDatabase((connection) =>
    connection
      .collection('messagequotas')
      .updateOne({ _id: user._id as never }, { $set: { endsAt: new Date(Date.now() - 1) } }),
  )
  const nextAnswers = await Promise.all(Array.from({ length: 22 }, () => send()))
  expect(nextAnswers.filter(({ status }) => status === 201)).toHaveLength(20)
})

test('When there are more messages than fit on a page, then a list without a limit has the first 100', async () => {
  await inDatabase((connection) =>
    connection.collection('contacts').insertMany(
      Array.from({ length: 120 }, (_, n) => ({
        subject: String(n),
        message: 'x',
        userEmail: 'organiser@confetti.test',
        createdAt: new Date(Date.now() + n),
        outbox: [],
        outboxPending: false,
        outboxVersion: 1,
      })),
    ),
  )
  const { token } = await newAdmin(system, system.url('auth'))
  const first = await call(contact, listContacts, { token })
  expect(first.body.messages).toHaveLength(100)
  const next = await call(contact, listContacts, { token, query: { after: first.body.nextCursor as string } })
  expect(next.body.messages[0]).toMatchObject({ subject: '19' })
  expect(next.body).not.toHaveProperty('nextCursor')
})
