import { eventually, randomEmail, readCounter, readGauge } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newUploadId, startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ smtpUrl: () => '' })
})
afterAll(() => harness.stop())

test('When there is no mail server, then nothing is stored to be sent, and the service is ready and says so', async () => {
  const organiser = await harness.newUser('admin')
  const event = await harness.newEvent([organiser])
  await harness.requestReset(randomEmail())
  await harness.publish('upload.completed.v1', {
    uploadId: newUploadId(),
    eventId: event._id,
    contentType: 'image/jpeg',
    size: 1,
  })
  await harness.waitUntilHandled('user.mail-requested.v1')
  await harness.waitUntilHandled('upload.completed.v1')
  for (const name of ['mails', 'newuploads', 'digests'])
    expect([name, await harness.collection(name).countDocuments({})]).toEqual([name, 0])
  await eventually(async () => (await fetch(new URL('/readyz', harness.system.url('notifications')))).ok)
  expect(harness.system.log.some((line) => line.includes('mail is off: SMTP_URL is not set'))).toBe(true)
  expect(await readGauge(harness.system, 'notifications', 'notifications_mails_waiting')).toBe(0)
  // auth has told the person that a mail is coming.
  const labels = { kind: 'password-reset', outcome: 'dead' }
  expect(await readCounter(harness.system, 'notifications', 'notifications_mails_total', labels)).toBe(1)
  expect(
    harness.system.log.some((line) => /mail requested while mail is off.*MAIL.*SMTP_URL/.test(line)),
  ).toBe(true)
})
