import { eventually, randomEmail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { envelope, newId, SHELL_URL, startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ replicas: 2 })
})
afterAll(() => harness.stop())

const link = `${SHELL_URL}/invitation#a-token-of-an-invitation`

test('When an organiser is invited, then they get one mail with the link as text and as HTML', async () => {
  const email = randomEmail()
  await harness.publish('user.mail-requested.v1', {
    kind: 'invitation',
    userId: newId(),
    email,
    link,
    expiresAt: '2030-05-04T12:30:00.000Z',
  })
  const mail = await harness.waitForMail(email)
  expect(mail.subject).toBe('You are invited to Confetti')
  expect(mail.text).toContain(`Choose a password:\n${link}`)
  expect(mail.text).toContain('The link works once, until 4 May 2030, 12:30 UTC.')
  expect(mail.html).toContain(`href="${link}"`)
  expect(mail.headers).toContain('From: Confetti <no-reply@confetti.test>')
  expect(mail.headers).toContain('Auto-Submitted: auto-generated')
  expect(mail.headers).not.toContain('List-Unsubscribe')
})

test('When a password is reset and changed, then each of them is one mail', async () => {
  const email = randomEmail()
  const userId = newId()
  await harness.requestReset(email, userId)
  expect((await harness.waitForMail(email)).subject).toBe('Choose a new password')
  await harness.publish('user.mail-requested.v1', { kind: 'password-changed', userId, email })
  expect((await harness.waitForMail(email, 2)).subject).toBe('Your password was changed')
})

test('When a request is delivered many times, to two replicas, then its mail is sent once', async () => {
  const email = randomEmail()
  const message = await harness.requestReset(email)
  for (let repetition = 0; repetition < 10; repetition += 1) await harness.publishMessage(message)
  await harness.waitForMail(email)
  const last = randomEmail()
  await harness.requestReset(last)
  await harness.waitForMail(last)
  await eventually(
    async () => (await harness.mailDocuments({ state: { $in: ['waiting', 'sending'] } })).length === 0,
    'all mails being sent',
  )
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When a mail has been sent, then its text and link are removed from the database', async () => {
  const email = randomEmail()
  const message = await harness.requestReset(email)
  await harness.waitForMail(email)
  const stored = await eventually(async () => {
    const [mail] = await harness.mailDocuments({ to: email, state: 'sent' })
    return mail
  }, 'the mail being marked as sent')
  expect(stored).not.toHaveProperty('content')
  expect(JSON.stringify(stored)).not.toContain(message.data.link)
})

test('When a link has expired before it could be sent, then its mail is given up', async () => {
  const email = randomEmail()
  await harness.publish('user.mail-requested.v1', {
    kind: 'password-reset',
    userId: newId(),
    email,
    link,
    expiresAt: new Date(Date.now() - 1_000).toISOString(),
  })
  await eventually(
    async () => (await harness.mailDocuments({ to: email, state: 'dead', reason: 'expired' })).length === 1,
    'the mail being given up',
  )
  expect(harness.mailServer.mailsTo(email)).toEqual([])
})

test('When an address contains line breaks or further addresses, then nothing is sent to any of them', async () => {
  const victim = randomEmail()
  for (const email of [
    `a@confetti.test>\r\nRCPT TO:<${victim}`,
    `a@confetti.test, ${victim}`,
    `a@confetti.test\r\nBcc: ${victim}`,
    `"a" <${victim}>`,
  ]) {
    await harness.publish('user.mail-requested.v1', { kind: 'password-changed', userId: newId(), email })
    await eventually(
      async () => (await harness.mailDocuments({ to: email, state: 'dead' })).length === 1,
      'the mail being given up',
    )
  }
  expect(harness.mailServer.mailsTo(victim)).toEqual([])
})

test('When a request violates its contract, then it becomes a dead letter and others are sent', async () => {
  const email = randomEmail()
  const message = envelope('user.mail-requested.v1', { kind: 'invitation', userId: newId(), email, link })
  await harness.publishMessage({ ...message, data: { ...message.data, kind: 'newsletter' } } as never)
  const other = randomEmail()
  await harness.requestReset(other)
  await harness.waitForMail(other)
  await eventually(
    () => harness.system.log.some((line) => line.includes('message dead-lettered')),
    'the dead letter',
  )
  expect(harness.mailServer.mailsTo(email)).toEqual([])
})
