import { randomEmail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, SHELL_URL, startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const link = `${SHELL_URL}/organiser-invitation#token=a-token`
const invitationOf = (email: string, invitedBy: { _id: string; email: string }) => ({
  invitationId: newId(),
  email,
  eventId: newId(),
  eventName: 'Anna & Ben',
  invitedBy: { _id: invitedBy._id, email: invitedBy.email },
  link,
  expiresAt: '2030-05-04T12:30:00.000Z',
})

test('When somebody is invited to organise an event, then they get one mail with the link, who invites and until when', async () => {
  const inviter = await harness.newUser()
  const email = randomEmail()
  const invitation = invitationOf(email, inviter)
  await harness.publish('organiser.invited.v1', invitation)
  await harness.publish('organiser.invited.v1', invitation)
  const mail = await harness.waitForMail(email)
  expect(mail.subject).toBe('You are invited to organise “Anna & Ben”')
  expect(mail.text).toContain(`${inviter.email} invites you to organise “Anna & Ben”`)
  expect(mail.text).toContain(`Accept invitation:\n${link}`)
  expect(mail.text).toContain('The link works once, until 4 May 2030, 12:30 UTC.')
  await harness.waitUntilHandled('organiser.invited.v1')
  const stored = await harness.mailDocuments({ to: email })
  expect(stored).toHaveLength(1)
  expect(stored[0]).toMatchObject({ userId: inviter._id, eventId: invitation.eventId })
})

test('When the invited address has an account, then the mail is in its language, otherwise in that of who invites', async () => {
  const inviter = { _id: newId(), email: randomEmail(), role: 'user', language: 'de' } as const
  const reader = { _id: newId(), email: randomEmail(), role: 'user', language: 'fr' } as const
  for (const user of [inviter, reader]) await harness.publish('user.registered.v1', user)
  await harness.waitUntilHandled('user.registered.v1')
  await harness.publish('organiser.invited.v1', invitationOf(reader.email, inviter))
  expect((await harness.waitForMail(reader.email)).subject).toBe('Invitation à organiser « Anna & Ben »')
  const unknown = randomEmail()
  await harness.publish('organiser.invited.v1', invitationOf(unknown, inviter))
  expect((await harness.waitForMail(unknown)).subject).toBe(
    'Du bist eingeladen, „Anna & Ben“ mitzuorganisieren',
  )
})

test('When the event or who invites is erased, then the mail is gone, too, and none is sent', async () => {
  const inviter = await harness.newUser()
  const invitation = invitationOf(randomEmail(), inviter)
  await harness.publish('event.deleted.v1', { _id: invitation.eventId })
  await harness.publish('user.deleted.v1', inviter)
  await harness.waitUntilHandled('event.deleted.v1')
  await harness.waitUntilHandled('user.deleted.v1')
  await harness.publish('organiser.invited.v1', invitation)
  await harness.publish('organiser.invited.v1', { ...invitationOf(invitation.email, inviter) })
  await harness.waitUntilHandled('organiser.invited.v1')
  expect(await harness.mailDocuments({ to: invitation.email })).toEqual([])
  expect(harness.mailServer.mailsTo(invitation.email)).toEqual([])
})
