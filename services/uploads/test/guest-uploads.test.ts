import {
  DECODER_VERSION,
  createUploadTickets,
  deleteGuestUpload,
  listGuestUploads,
  type Event,
  type GuestUpload,
  type NewTicket,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import { call, complete, eventually, putFile, sha256Of, type FileToSend } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import {
  asGuest,
  eventWith,
  makeReady,
  messagesAbout,
  newGuest,
  photo,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem
let event: Event

beforeAll(async () => {
  context = await startGallerySystem()
  event = await eventWith(context, { moderation: 'approve' })
})
afterAll(async () => {
  await context.stop()
})

const list = async (headers: Record<string, string>, query: Record<string, string> = {}) =>
  call(context.url, listGuestUploads, { headers, query: { eventId: event._id, ...query } })
const idsOf = async (headers: Record<string, string>): Promise<string[]> =>
  ((await list(headers)).body.uploads as GuestUpload[]).map(({ _id }) => _id)
const takeBack = async (uploadId: string, headers: Record<string, string> = {}) =>
  call(context.url, deleteGuestUpload, { headers, params: { uploadId } })

type Guest = ReturnType<typeof asGuest>

/** Sends one photo straight to blob storage, and returns the id of its upload. */
const sendDirectly = async (
  headers: Record<string, string>,
  sent?: FileToSend,
  { isDeclared = true }: { isDeclared?: boolean } = {},
): Promise<string> => {
  const file = sent ?? (await photo())
  const hash = isDeclared && { sha256: sha256Of(file.bytes) }
  const files = [{ name: file.name, size: file.bytes.length, ...hash }]
  const body = { eventId: event._id, photoCredit: 'Table 4', files }
  const answer = await call(context.url, createUploadTickets, { headers, body })
  const [ticket] = answer.body.tickets as NewTicket[]
  if (ticket?.outcome !== 'send') throw new Error('no ticket')
  await putFile(ticket.transfer, file.bytes)
  // Completed without the header: the ticket says who has sent it.
  return String((await complete(context.url, ticket)).body.uploads[0]._id)
}

test('When a guest has sent photos in a form and directly, then they see their own, newest first, with their state', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const first = await sendPhoto(context, event, anna)
  const second = await sendDirectly(anna)
  const ofBen = await sendPhoto(context, event, ben)
  expect(await idsOf(anna)).toEqual([second, first])
  expect(await idsOf(ben)).toEqual([ofBen])

  await makeReady(context, event, first)
  const [waiting, ready] = (await list(anna)).body.uploads as GuestUpload[]
  expect(waiting).toMatchObject({ status: 'processing', visibility: 'pending' })
  expect(waiting).not.toHaveProperty('thumbnailUrl')
  expect(ready).toMatchObject({ status: 'ready', visibility: 'pending', originalName: 'photo.jpg' })
  expect(ready?.thumbnailUrl).toContain(`${first}/thumbnail.webp?`)
  expect(ready?.previewUrl).toContain(`${first}/preview.webp?`)
  expect(JSON.stringify((await list(anna)).body)).not.toContain('/original')
})

test('When photos are sent, then the media worker is told which guest has sent each', async () => {
  const anna = newGuest()
  const ofForm = await sendPhoto(context, event, asGuest(anna))
  const direct = await sendDirectly(asGuest(anna))
  const ofNobody = await sendPhoto(context, event)
  const dataOf = (uploadId: string) =>
    eventually(() => messagesAbout(context, 'upload.completed.v1', uploadId)[0], 'upload.completed')
  expect(await dataOf(ofForm)).toMatchObject({ guestId: anna })
  expect(await dataOf(direct)).toMatchObject({ guestId: anna })
  expect(await dataOf(ofNobody)).not.toHaveProperty('guestId')
})

test('When a photo of a guest cannot be processed, then they see why', async () => {
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, event, anna)
  const failure = newMessage('media.failed.v1', {
    uploadId: id,
    reason: 'The photo is damaged.',
    decoderVersion: DECODER_VERSION,
  })
  await context.messages.publish(toEnvelope(failure, '/services/media'))
  const failed = await eventually(async () =>
    ((await list(anna)).body.uploads as GuestUpload[]).find(({ status }) => status === 'failed'),
  )
  expect(failed.failureReason).toBe('The photo is damaged.')
})

test('When more guests send the same photo than are remembered, then each is acknowledged, and the last who takes it back deletes nothing', async () => {
  const shared = await photo()
  const guests = Array.from({ length: 120 }, () => asGuest(newGuest()))
  const ids = new Set<string>()
  for (const guest of guests) ids.add(await sendPhoto(context, event, guest, shared))
  const [id = '', ...otherIds] = ids
  expect(otherIds).toEqual([])
  let takenBack = 0
  for (const guest of guests) if ((await takeBack(id, guest)).status === 200) takenBack += 1
  expect(takenBack).toBe(50)
  expect((await uploadsOf(context, event)).map(({ _id }) => _id)).toContain(id)
})

test('When the list of a guest is read page by page, then it has each upload once', async () => {
  const anna = asGuest(newGuest())
  const sent: string[] = []
  for (let count = 0; count < 3; count += 1) sent.unshift(await sendPhoto(context, event, anna))
  const first = await list(anna, { limit: '2' })
  const next = await list(anna, { limit: '2', after: String(first.body.nextCursor) })
  const ids = [first, next].flatMap(({ body }) => (body.uploads as GuestUpload[]).map(({ _id }) => _id))
  expect(ids).toEqual(sent)
  expect(next.body).not.toHaveProperty('nextCursor')
  for (const query of [{ limit: '0' }, { limit: '1001' }, { after: 'nonsense' }])
    expect((await list(anna, query)).status).toBe(400)
})

test('When there is no guest, then the list is empty, and an unknown event is 404', async () => {
  await sendPhoto(context, event)
  expect((await list({})).body).toEqual({ uploads: [] })
  // Only the gateway says who the guest is: a token itself is never looked at.
  expect((await list({ 'X-Guest-Token': newGuest() })).body).toEqual({ uploads: [] })
  for (const eventId of ['b'.repeat(24), 'nonsense'])
    expect((await list(asGuest(newGuest()), { eventId })).status).toBe(404)
})

test('When a client without a token sends, then its files belong to the guest whose token it gets', async () => {
  const [inForm, direct] = [newGuest(), newGuest()]
  const first = await sendPhoto(context, event, { 'X-Issued-Guest-Id': inForm })
  const second = await sendDirectly({ 'X-Issued-Guest-Id': direct })
  expect(await idsOf(asGuest(inForm))).toEqual([first])
  expect(await idsOf(asGuest(direct))).toEqual([second])
  // The issued id is no proof by itself.
  expect(await idsOf({ 'X-Issued-Guest-Id': inForm })).toEqual([])
  expect((await takeBack(first, { 'X-Issued-Guest-Id': inForm })).status).toBe(404)
})

test('When another guest or a client without a token takes a photo back, then it stays', async () => {
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, event, anna)
  const anonymous = await sendPhoto(context, event)
  for (const headers of [{}, asGuest(newGuest())])
    for (const uploadId of [id, anonymous, 'b'.repeat(24), 'nonsense']) {
      const { status, body } = await takeBack(uploadId, headers)
      expect([status, body.message]).toEqual([404, 'Upload not found.'])
    }
  expect(await idsOf(anna)).toEqual([id])
  expect((await uploadsOf(context, event)).map(({ _id }) => _id)).toContain(anonymous)
})

test.each([
  ['in a form', (ben: Guest, file: FileToSend) => sendPhoto(context, event, ben, file)],
  ['directly', (ben: Guest, file: FileToSend) => sendDirectly(ben, file, { isDeclared: false })],
  [
    'as a file whose hash is known',
    async (ben: Guest, { name, bytes }: FileToSend) => {
      const files = [{ name, size: bytes.length, sha256: sha256Of(bytes) }]
      const body = { eventId: event._id, photoCredit: 'Table 4', files }
      const answer = await call(context.url, createUploadTickets, { headers: ben, body })
      const [ticket] = answer.body.tickets as NewTicket[]
      return ticket?.outcome === 'duplicate' ? ticket.upload._id : ''
    },
  ],
])(
  'When a second guest sends the same photo under the same credit %s, then it stays until both have taken it back',
  async (_, sendAgain) => {
    const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
    const file = await photo()
    const id = await sendPhoto(context, event, anna, file)
    expect(await sendAgain(ben, file)).toBe(id)
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], [id]])
    expect((await takeBack(id, anna)).status).toBe(200)
    expect((await takeBack(id, anna)).status).toBe(404)
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[], [id]])
    expect((await uploadsOf(context, event)).map(({ _id }) => _id)).toContain(id)
    expect((await takeBack(id, ben)).status).toBe(200)
    expect((await uploadsOf(context, event)).map(({ _id }) => _id)).not.toContain(id)
  },
)

test('When two guests have sent the same photo before its hash was verified, then it is one upload of both', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const file = await photo()
  const copy = await sendDirectly(ben, file)
  const id = await sendDirectly(anna, file, { isDeclared: false })
  expect(copy).not.toBe(id)
  const result = { uploadId: copy, width: 1, height: 1, sha256: sha256Of(file.bytes), crc32: 7 }
  await context.messages.publish(toEnvelope(newMessage('media.processed.v1', result), '/services/media'))
  // First the upload gets its second owner, then the other one goes.
  await eventually(async () => (await idsOf(ben)).join() === id, 'the upload of both, alone')
  expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], [id]])
  await takeBack(id, anna)
  expect((await uploadsOf(context, event)).map(({ _id }) => _id)).toContain(id)
})

test('When guests send the same photo and take it back at the same time, then it is there if and only if one of them has it', async () => {
  const guests = Array.from({ length: 8 }, () => asGuest(newGuest()))
  const file = await photo()
  const ids = await Promise.all(guests.map((guest) => sendPhoto(context, event, guest, file)))
  const [id = ''] = ids
  expect(new Set(ids).size).toBe(1)
  const statuses = await Promise.all(guests.slice(1).map(async (guest) => (await takeBack(id, guest)).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await uploadsOf(context, event)).map(({ _id }) => _id)).toContain(id)
  expect((await takeBack(id, guests[0])).status).toBe(200)
  expect((await uploadsOf(context, event)).map(({ _id }) => _id)).not.toContain(id)
})

test('When a record of an earlier version names one guest, then a second one can own it, too', async () => {
  const [anna, ben] = [newGuest(), asGuest(newGuest())]
  const file = await photo()
  const id = await sendPhoto(context, event, asGuest(anna), file)
  const record = { _id: new mongoose.Types.ObjectId(id) }
  await context.database
    .collection('uploads')
    .updateOne(record, { $set: { guestId: anna }, $unset: { ownersRevision: '' } })
  expect(await sendPhoto(context, event, ben, file)).toBe(id)
  expect([await idsOf(asGuest(anna)), await idsOf(ben)]).toEqual([[id], [id]])
})
