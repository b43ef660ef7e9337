import { unsubscribe, showUnsubscribePage } from '@confetti/contracts'
import { call, eventually, type ReceivedMail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { API_URL, newId, newUploadId, SHELL_URL, startHarness, type Harness } from './harness.ts'

const HOUR_MS = 3_600_000

let harness: Harness
let api: string
beforeAll(async () => {
  harness = await startHarness({ replicas: 2 })
  api = harness.system.url('notifications')
})
afterAll(() => harness.stop())

const addUploads = async (eventId: string, types: readonly ('image/jpeg' | 'video/mp4')[]) => {
  const uploads = types.map((contentType) => ({ uploadId: newUploadId(), eventId, contentType, size: 1 }))
  for (const upload of uploads) await harness.publish('upload.completed.v1', upload)
  await eventually(
    async () =>
      (await harness
        .collection('newuploads')
        .countDocuments({ _id: { $in: uploads.map(({ uploadId }) => uploadId) } })) === uploads.length,
    'the uploads being recorded',
  )
  await eventually(async () => {
    if (await harness.collection('digests').findOne({ _id: eventId })) return true
    // The last digest was due an hour earlier than the service believes, as `passHour` has changed it.
    for (const upload of uploads.slice(0, 1)) await harness.publish('upload.completed.v1', upload)
    return false
  }, 'a planned digest')
  // Handled after the digest was sent, one of them would plan another digest.
  await harness.waitUntilHandled('upload.completed.v1')
  return uploads
}

/** Lets the time of an event's digest and of its uploads be an hour ago. */
const passHour = async (eventId: string): Promise<void> => {
  for (const upload of await harness.collection('newuploads').find({ eventId, digest: null }).toArray())
    await harness
      .collection('newuploads')
      .updateOne(
        { _id: upload._id },
        { $set: { addedAt: new Date((upload.addedAt as Date).getTime() - HOUR_MS) } },
      )
  const digest = await harness.collection('digests').findOne({ _id: eventId })
  if (!digest) throw new Error('No digest is planned')
  await harness
    .collection('digests')
    .updateOne({ _id: eventId }, { $set: { dueAt: new Date((digest.dueAt as Date).getTime() - HOUR_MS) } })
}

/** The address in the header of a digest, at the service itself. */
const unsubscribeUrlOf = ({ headers }: ReceivedMail): URL => {
  const [, url = ''] = /^List-Unsubscribe:\s*<(.*?)>/m.exec(headers.replaceAll(/\r\n\s+/g, ' ')) ?? []
  expect(url.startsWith(`${API_URL}/api/notifications/unsubscribe?subscription=`)).toBe(true)
  return new URL(url.slice(API_URL.length), api)
}

test('When guests add uploads, then each organiser gets one mail after an hour, with their number and a link', async () => {
  const organisers = [await harness.newUser(), await harness.newUser()]
  const event = await harness.newEvent(organisers)
  const uploads = await addUploads(event._id, ['image/jpeg', 'image/jpeg', 'video/mp4'])
  // Uploads requests processing again, with another message.
  await harness.publish('upload.completed.v1', uploads[0] ?? fail())
  await harness.waitUntilHandled('upload.completed.v1')
  const digest = await harness.collection('digests').findOne({ _id: event._id })
  const dueInMs = (digest?.dueAt as Date).getTime() - Date.now()
  expect(dueInMs).toBeGreaterThan(HOUR_MS - 90_000)
  expect(dueInMs).toBeLessThanOrEqual(HOUR_MS)

  await passHour(event._id)
  for (const { email } of organisers) {
    const mail = await harness.waitForMail(email)
    expect(mail.subject).toBe('2 new photos and 1 video in “Anna & Ben”')
    expect(mail.text).toContain(`${SHELL_URL}/myevents/${event._id}`)
    expect(mail.html).toContain('Anna &amp; Ben')
    expect(mail.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  }
  await eventually(
    async () => !(await harness.collection('digests').findOne({ _id: event._id })),
    'the digest being finished',
  )
  for (const { email } of organisers) expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When the processing of a photo of the last month is requested again, then it is not a new one', async () => {
  const event = await harness.newEvent([await harness.newUser()])
  const uploadId = newUploadId(new Date(Date.now() - 30 * 24 * HOUR_MS))
  const photo = { uploadId, eventId: event._id, contentType: 'image/heic', size: 1 } as const
  await harness.publish('upload.completed.v1', photo)
  await harness.waitUntilHandled('upload.completed.v1')
  expect(await harness.collection('newuploads').findOne({ _id: uploadId })).toBeNull()
  expect(await harness.collection('digests').findOne({ _id: event._id })).toBeNull()
})

test('When more uploads arrive after a digest, then they are in another one, an hour later', async () => {
  const organiser = await harness.newUser()
  const event = await harness.newEvent([organiser])
  await addUploads(event._id, ['image/jpeg'])
  await passHour(event._id)
  expect((await harness.waitForMail(organiser.email)).subject).toBe('1 new photo in “Anna & Ben”')
  await eventually(async () => !(await harness.collection('digests').findOne({ _id: event._id })))
  await addUploads(event._id, ['video/mp4', 'video/mp4'])
  expect(harness.mailServer.mailsTo(organiser.email)).toHaveLength(1)
  await passHour(event._id)
  expect((await harness.waitForMail(organiser.email, 2)).subject).toBe('2 new videos in “Anna & Ben”')
})

test('When the mail server is down for hours, then one mail has the uploads of all of them', async () => {
  const organiser = await harness.newUser()
  const event = await harness.newEvent([organiser])
  const digestMails = () => harness.mailDocuments({ to: organiser.email, kind: 'new-uploads' })
  await harness.mailServer.stop()
  try {
    for (const types of [['image/jpeg'], ['image/jpeg', 'video/mp4'], ['image/jpeg']] as const) {
      const before = (await digestMails())[0]?._id
      await addUploads(event._id, types)
      await passHour(event._id)
      await eventually(async () => {
        const mails = await digestMails()
        return mails.length === 1 && mails[0]?._id !== before
      }, 'one mail in place of the one before')
      await eventually(async () => !(await harness.collection('digests').findOne({ _id: event._id })))
    }
  } finally {
    await harness.mailServer.start()
  }
  expect((await harness.waitForMail(organiser.email)).subject).toBe(
    '3 new photos and 1 video in “Anna & Ben”',
  )
  await eventually(async () => (await digestMails()).every(({ state }) => state === 'sent'))
  expect(harness.mailServer.mailsTo(organiser.email)).toHaveLength(1)
})

test('When an old link to unsubscribe is used after the event or the account was erased, then nothing is stored', async () => {
  const organisers = [await harness.newUser(), await harness.newUser()] as const
  const event = await harness.newEvent(organisers)
  await addUploads(event._id, ['image/jpeg'])
  await passHour(event._id)
  const [erasedUser, user] = organisers
  const urls = [
    unsubscribeUrlOf(await harness.waitForMail(erasedUser.email)),
    unsubscribeUrlOf(await harness.waitForMail(user.email)),
  ] as const
  const unsubscribeBy = async (url: URL) => expect((await fetch(url, { method: 'POST' })).status).toBe(200)
  await harness.publish('user.deleted.v1', { _id: erasedUser._id, email: erasedUser.email })
  await eventually(async () => !(await harness.collection('users').findOne({ _id: erasedUser._id })))
  await unsubscribeBy(urls[0])
  await harness.publish('event.deleted.v1', { _id: event._id })
  await eventually(async () => !(await harness.collection('events').findOne({ _id: event._id })))
  await unsubscribeBy(urls[1])
  expect(await harness.collection('unsubscriptions').countDocuments({ eventId: event._id })).toBe(0)
})

test('When an organiser unsubscribes with one click, then only they get no more digests of this event', async () => {
  const [leaving, staying] = [await harness.newUser(), await harness.newUser()]
  const event = await harness.newEvent([leaving, staying])
  const otherEvent = await harness.newEvent([leaving])
  await addUploads(event._id, ['image/jpeg'])
  await passHour(event._id)
  const url = unsubscribeUrlOf(await harness.waitForMail(leaving.email))

  // Programs that check links open them: that alone changes nothing.
  const page = await fetch(url)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).not.toContain(url.searchParams.get('subscription'))
  expect(await harness.collection('unsubscriptions').countDocuments({ eventId: event._id })).toBe(0)

  for (let click = 0; click < 2; click += 1) {
    // As mail programs do: RFC 8058.
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(response.status).toBe(200)
  }

  await eventually(async () => !(await harness.collection('digests').findOne({ _id: event._id })))
  await addUploads(event._id, ['image/jpeg'])
  await addUploads(otherEvent._id, ['video/mp4'])
  await passHour(event._id)
  await passHour(otherEvent._id)
  await harness.waitForMail(staying.email, 2)
  const mail = await harness.waitForMail(leaving.email, 2)
  expect(mail.subject).toContain('video')
  expect(harness.mailServer.mailsTo(leaving.email)).toHaveLength(2)
})

test('When a link to unsubscribe is forged or changed, then it is rejected', async () => {
  const [organiser, other] = [await harness.newUser(), await harness.newUser()]
  const event = await harness.newEvent([organiser, other])
  await addUploads(event._id, ['image/jpeg'])
  await passHour(event._id)
  const token =
    unsubscribeUrlOf(await harness.waitForMail(organiser.email)).searchParams.get('subscription') ?? ''
  const [eventId = '', userId = '', signature = ''] = token.split('.')
  for (const forged of [
    `${eventId}.${other._id}.${signature}`,
    `${newId()}.${userId}.${signature}`,
    `${eventId}.${userId}.${'a'.repeat(43)}`,
    `${eventId}.${userId}`,
    '',
    'nonsense',
  ]) {
    const response = await call(api, unsubscribe, { query: { subscription: forged } })
    expect([forged, response.status]).toEqual([forged, 400])
    expect(response.body.message).toBe('This link is not valid. Please open it as it is in the mail.')
  }
  expect((await call(api, unsubscribe)).status).toBe(400)
  expect(await harness.collection('unsubscriptions').countDocuments({ eventId: event._id })).toBe(0)
})

test('The page allows its own script and style only, and can be requested by HEAD', async () => {
  const response = await fetch(new URL(showUnsubscribePage.path, api), { method: 'HEAD' })
  expect(response.status).toBe(200)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self';/,
  )
  expect(policy).not.toContain('unsafe')
})

test('When an account is deactivated or no longer an organiser, then it gets no digest', async () => {
  const [inactive, former, current] = [
    await harness.newUser(),
    await harness.newUser(),
    await harness.newUser(),
  ]
  const event = await harness.newEvent([inactive, former])
  await harness.publish('user.changed.v1', { ...inactive, active: false, revision: 1 })
  await harness.publish('event.changed.v1', {
    ...event,
    organisers: [inactive._id, current._id],
    name: 'Anna & Ben, the party',
    revision: 2,
  })
  await eventually(() => harness.collection('events').findOne({ _id: event._id, revision: 2 }))
  // Both arrive late.
  await harness.publish('event.changed.v1', { ...event, organisers: [former._id], revision: 1 })
  await harness.publish('event.created.v1', event)
  await harness.waitUntilHandled('event.changed.v1')
  await harness.waitUntilHandled('event.created.v1')
  await eventually(() => harness.collection('users').findOne({ _id: inactive._id, active: false }))
  await addUploads(event._id, ['image/jpeg'])
  await passHour(event._id)
  expect((await harness.waitForMail(current.email)).subject).toBe('1 new photo in “Anna & Ben, the party”')
  for (const { email } of [inactive, former]) expect(await harness.mailDocuments({ to: email })).toEqual([])
})

const fail = (): never => {
  throw new Error('missing')
}
