import { contactAdmin, listContacts } from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'contact'],
    backends: { rabbitmq: 'amqp://127.0.0.1:1' },
  })
})
afterAll(() => system.stop())

test('When the broker is unavailable, then messages are stored and listed, and the service is ready', async () => {
  const organiser = await newOrganiser(system.url('auth'))
  const admin = await newAdmin(system, system.url('auth'))
  const contact = system.url('contact')
  const body = { subject: 'Hello', message: 'Can you hear me?' }
  const sent = await call(contact, contactAdmin, { token: organiser.token, body })
  expect(sent.status).toBe(201)
  const listed = await call(contact, listContacts, { token: admin.token })
  expect(listed.body.messages).toEqual([sent.body.contact])
  for (const url of [contact, system.url('auth')])
    await eventually(async () => (await fetch(new URL('/readyz', url))).ok)
})
