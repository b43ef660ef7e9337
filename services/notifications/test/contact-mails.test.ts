import type { MessageData } from '@confetti/contracts'
import { eventually, randomEmail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, SHELL_URL, startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const newContact = (fields: Partial<MessageData<'contact.received.v1'>> = {}) => ({
  _id: newId(),
  subject: 'A second day',
  message: 'Hello,\n\nwe would like Sunday as well.',
  createdAt: new Date().toISOString(),
  userId: newId(),
  userEmail: randomEmail(),
  ...fields,
})

test('When an organiser writes to the admins, then each admin who may sign in gets one mail', async () => {
  const admins = [await harness.newUser('admin'), await harness.newUser('admin')]
  const inactive = await harness.newUser('admin')
  const organiser = await harness.newUser()
  await harness.publish('user.changed.v1', { ...inactive, active: false, revision: 1 })
  await eventually(() => harness.collection('users').findOne({ _id: inactive._id, active: false }))
  const contact = newContact()
  await harness.publish('contact.received.v1', contact)
  await harness.publish('contact.received.v1', contact)
  for (const { email } of admins) {
    const mail = await harness.waitForMail(email)
    expect(mail.subject).toBe(`Message from ${contact.userEmail}: A second day`)
    expect(mail.text).toContain('> Hello,\n> \n> we would like Sunday as well.')
    expect(mail.text).toContain(`Answer:\n${SHELL_URL}/contacts`)
  }
  await harness.waitUntilHandled('contact.received.v1')
  for (const { email } of [inactive, organiser])
    expect(await harness.mailDocuments({ to: email })).toEqual([])
  await eventually(async () => (await harness.mailDocuments({ state: { $ne: 'sent' } })).length === 0)
  for (const { email } of admins) expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When a message contains markup and line breaks, then it cannot change the mail', async () => {
  const admin = await harness.newUser('admin')
  const victim = randomEmail()
  const contact = newContact({
    subject: `Hi\r\nBcc: ${victim}\r\n\r\n<b>bold</b>\u2028x`,
    message: `<script>alert(1)</script>\r\n.\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<${victim}>\r\n"><img src=x onerror=alert(1)>`,
  })
  await harness.publish('contact.received.v1', contact)
  const mail = await harness.waitForMail(admin.email)
  expect(mail.subject).toBe(`Message from ${contact.userEmail}: Hi Bcc: ${victim} <b>bold</b> x`)
  const names = mail.headers
    .split('\r\n')
    .flatMap((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? [])
  expect(names.toSorted()).toEqual([
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(mail.html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
  expect(mail.html).not.toMatch(/<(?:script|img|b)\b/)
  expect(mail.text).toContain('> .')
  expect(harness.mailServer.mailsTo(victim)).toEqual([])
})

test('When an account is erased, then no mail to or about it stays or is sent, whatever arrives late', async () => {
  await harness.newUser('admin')
  const [userId, email] = [newId(), randomEmail()]
  const contact = newContact({ userId, userEmail: email })
  const reply = { ...contact, contactId: contact._id, _id: newId() }
  await harness.publish('contact.received.v1', contact)
  await harness.publish('contact.replied.v1', reply)
  await harness.waitForMail(email)
  const waitUntilHandled = async () => {
    await harness.waitUntilHandled('contact.received.v1')
    await harness.waitUntilHandled('contact.replied.v1')
  }
  await waitUntilHandled()
  const toOrAbout = () => harness.mailDocuments({ $or: [{ to: email }, { about: email }] })
  expect((await toOrAbout()).some(({ about }) => about === email)).toBe(true)

  // This service has no copy of the account.
  await harness.publish('user.deleted.v1', { _id: userId, email })
  await eventually(async () => (await toOrAbout()).length === 0, 'the erasure')
  await harness.publish('contact.received.v1', { ...contact, _id: newId() })
  await harness.publish('contact.replied.v1', { ...reply, _id: newId() })
  await waitUntilHandled()
  expect(await toOrAbout()).toEqual([])
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When an admin answers, then the organiser gets the reply once', async () => {
  const email = randomEmail()
  const reply = {
    _id: newId(),
    contactId: newId(),
    subject: 'A second day',
    message: 'Of course. It is set up.',
    createdAt: new Date().toISOString(),
    userId: newId(),
    userEmail: email,
  }
  await harness.publish('contact.replied.v1', reply)
  await harness.publish('contact.replied.v1', reply)
  const mail = await harness.waitForMail(email)
  expect(mail.subject).toBe('Re: A second day')
  expect(mail.text).toContain('> Of course. It is set up.')
  await harness.waitUntilHandled('contact.replied.v1')
  await eventually(
    async () => (await harness.mailDocuments({ to: email, state: { $ne: 'sent' } })).length === 0,
  )
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})
