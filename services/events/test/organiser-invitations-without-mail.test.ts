import { acceptOrganiserInvitation, inviteOrganiser } from '@confetti/contracts'
import {
  call,
  newAdmin,
  newEvent,
  newOrganiser,
  randomEmail,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'events'] })
})
afterAll(() => system.stop())

test('When the system sends no mail, then the answer has the link to pass on', async () => {
  const [auth, url] = [system.url('auth'), system.url('events')]
  const organiser = await newOrganiser(auth)
  const event = await newEvent(url, await newAdmin(system, auth), organiser)
  const params = { eventId: event._id }
  const { body } = await call(url, inviteOrganiser, {
    token: organiser.token,
    params,
    body: { email: randomEmail() },
  })
  const link = new URL(body.invitation.url as string)
  expect(link.pathname).toBe('/organiser-invitation')
  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
  const other = await newOrganiser(auth)
  const accepted = await call(url, acceptOrganiserInvitation, { token: other.token, body: { token } })
  expect(accepted).toMatchObject({ status: 200, body: { event: { _id: event._id } } })
})
