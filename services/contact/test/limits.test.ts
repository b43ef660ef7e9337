import { contactAdmin } from '@confetti/contracts'
import { call, newOrganiser, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'contact'],
    environment: { contact: { MAX_SUBJECT_CHARACTERS: '3', MAX_MESSAGE_CHARACTERS: '4' } },
  })
})
afterAll(() => system.stop())

test('The limits are configuration', async () => {
  const { token } = await newOrganiser(system.url('auth'))
  const send = (subject: string, message: string) =>
    call(system.url('contact'), contactAdmin, { token, body: { subject, message } })
  expect((await send('abc', 'abcd')).status).toBe(201)
  expect((await send('abcd', 'abcd')).body.message).toBe('The subject is longer than 3 characters.')
  expect((await send('abc', 'abcde')).body.message).toBe('The message is longer than 4 characters.')
})
