import { expect, test } from '@jest/globals'
import { composeMessage, isDeliverable, messageIdOf, parseSender } from './smtp-hand-over.ts'

const sender = parseSender('Confetti <no-reply@confetti.test>')
const mail = {
  cause: 'password-reset/1',
  kind: 'password-reset',
  userId: 'a'.repeat(24),
  to: 'person@confetti.test',
  leaseId: 'a',
  attempts: 1,
  createdAt: new Date('2026-11-23T12:00:00Z'),
  content: { subject: 'Grüße 🎉', text: 'Hello', html: '<p>Hello</p>' },
} as const

test('The Message-ID depends on the cause alone, so that a repetition is recognised', async () => {
  expect(messageIdOf(mail.cause, sender)).toMatch(/^<[0-9a-f]{32}@confetti\.test>$/)
  expect(messageIdOf('password-reset/2', sender)).not.toBe(messageIdOf(mail.cause, sender))
  const later = await composeMessage({ ...mail, attempts: 7, leaseId: 'b' }, sender)
  expect(later.toString()).toContain(`Message-ID: ${messageIdOf(mail.cause, sender)}\r\n`)
  expect(later.toString()).toContain('Date: Mon, 23 Nov 2026 12:00:00 +0000\r\n')
})

test('A mail has text and HTML, and headers in ASCII', async () => {
  const message = (await composeMessage(mail, sender)).toString('latin1')
  expect(message).toContain('Content-Type: multipart/alternative')
  expect(message).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(message.slice(0, message.indexOf('\r\n\r\n'))).toMatch(/^[\x20-\x7e\r\n]*$/)
})

test.each([
  'a b@c.test',
  'a@b.test, c@d.test',
  '<a@b.test>',
  'a@b.test>\r\nRCPT TO:<c@d.test',
  'a@b.test\n',
  '"a"@b.test',
  'a@b@c.test',
  'a',
  '',
])('%j is not an address that mail is sent to', (address) => {
  expect(isDeliverable(address)).toBe(false)
})

test.each(['a@b.test', "o'neil+tag@sub.example.org", 'jörg@müller.example'])(
  '%j is an address that mail is sent to',
  (address) => {
    expect(isDeliverable(address)).toBe(true)
  },
)
