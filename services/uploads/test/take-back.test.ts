import {
  createUploadTickets,
  deleteGuestUpload,
  deleteMyUpload,
  listGuestUploads,
  restoreGuestUpload,
  setMyUploadsVisibility,
  type Event,
  type GuestUpload,
  type NewTicket,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  complete,
  eventually,
  putFile,
  readGauge,
  sendFiles,
  sha256Of,
  type FileToSend,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import {
  asGuest,
  changeSettings,
  eventWith,
  messagesAbout,
  newGuest,
  photo,
  readyPhoto,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  visibilityOf,
  type GallerySystem,
} from './gallery-event.ts'

// What a guest takes back is hidden at once and deleted 30 seconds later. What other calls answer is in state-changes.test.ts.

let context: GallerySystem
let event: Event
let aheadMs = 0

beforeAll(async () => {
  context = await startGallerySystem(
    { SWEEP_INTERVAL_MS: '500' },
    { clock: () => new Date(Date.now() + aheadMs) },
  )
  event = await eventWith(context, { gallery: 'on' })
})
afterAll(() => context.stop())

type Guest = ReturnType<typeof asGuest>

const takeBack = (uploadId: string, headers: Record<string, string>) =>
  call(context.url, deleteGuestUpload, { headers, params: { uploadId } })
const restore = (uploadId: string, headers: Record<string, string> = {}) =>
  call(context.url, restoreGuestUpload, { headers, params: { uploadId } })
const statusOfRestore = async (uploadId: string, headers: Record<string, string> = {}): Promise<number> =>
  (await restore(uploadId, headers)).status
const idsOf = async (headers: Record<string, string>): Promise<string[]> => {
  const { body } = await call(context.url, listGuestUploads, { headers, query: { eventId: event._id } })
  return (body.uploads as GuestUpload[]).map(({ _id }) => _id)
}
const isListed = async (uploadId: string): Promise<boolean> =>
  (await uploadsOf(context, event)).some(({ _id }) => _id === uploadId)
const isDeletedForGood = (uploadId: string): boolean =>
  messagesAbout(context, 'upload.deleted.v1', uploadId).length > 0
const passTime = (ms: number): void => {
  aheadMs += ms
}
const ofOrganiser = (uploadId: string) => ({
  token: context.organiser.token,
  params: { eventId: event._id, uploadId },
})

test('When a guest takes a photo back, then it is gone at once, is deleted after 30 seconds, and can be sent again', async () => {
  const anna = asGuest(newGuest())
  const file = await photo()
  const id = await sendPhoto(context, event, anna, file)
  const takenBack = () => readGauge(context.system, 'uploads', 'uploads_taken_back_total')
  const before = await takenBack()
  expect(await takeBack(id, anna)).toMatchObject({ status: 200 })
  expect((await takeBack(id, anna)).status).toBe(404)
  expect(await idsOf(anna)).toEqual([])
  expect(await isListed(id)).toBe(false)
  await eventually(() => messagesAbout(context, 'upload.changed.v1', id).length > 0, 'the message')
  expect(messagesAbout(context, 'upload.changed.v1', id)).toMatchObject([{ isTakenBack: true }])
  passTime(25_000)
  // A later photo is deleted later.
  const other = await sendPhoto(context, event, anna)
  await takeBack(other, anna)
  passTime(6_000)
  await eventually(() => isDeletedForGood(id), 'the deletion')
  expect(isDeletedForGood(other)).toBe(false)
  // It is no act of a member.
  expect(messagesAbout(context, 'audit.recorded.v1', id)).toEqual([])
  expect(await takenBack()).toBe(before + 2)
  expect(await sendPhoto(context, event, anna, file)).not.toBe(id)
})

test('When a guest restores a photo within 30 seconds, then it is there again and stays, however often that is asked for', async () => {
  const anna = asGuest(newGuest())
  const id = await readyPhoto(context, event, anna)
  await takeBack(id, anna)
  passTime(29_000)
  const { status, body } = await restore(id, anna)
  expect([status, body]).toMatchObject([200, { upload: { _id: id, status: 'ready', visibility: 'visible' } }])
  expect(await statusOfRestore(id, anna)).toBe(200)
  expect([await idsOf(anna), await isListed(id)]).toEqual([[id], true])
  const changes = () => messagesAbout(context, 'upload.changed.v1', id)
  await eventually(() => changes().length === 3, 'the messages')
  expect(changes().map(({ isTakenBack }) => isTakenBack)).toEqual([undefined, true, undefined])

  // Taken back and restored once more: the time counts from the last time.
  await takeBack(id, anna)
  passTime(20_000)
  expect(await statusOfRestore(id, anna)).toBe(200)
  passTime(120_000)
  const later = await sendPhoto(context, event, anna)
  await takeBack(later, anna)
  passTime(31_000)
  await eventually(() => isDeletedForGood(later), 'the deletion of what was taken back')
  expect([await isListed(id), isDeletedForGood(id)]).toEqual([true, false])
})

test('When 30 seconds have passed, or somebody else asks, then nothing is restored', async () => {
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, event, anna)
  await takeBack(id, anna)
  for (const headers of [{}, asGuest(newGuest()), { 'X-Issued-Guest-Id': anna['X-Guest-Id'] }])
    expect(await statusOfRestore(id, headers)).toBe(404)
  passTime(30_000)
  expect(await statusOfRestore(id, anna)).toBe(404)
  for (const unknown of ['b'.repeat(24), 'nonsense']) expect(await statusOfRestore(unknown, anna)).toBe(404)
  expect(await isListed(id)).toBe(false)
})

/** The ways to send a photo that the event has. */
const sendAgain: [string, (guest: Record<string, string>, file: FileToSend) => Promise<string>][] = [
  ['in a form', (guest, file) => sendPhoto(context, event, guest, file)],
  [
    'directly',
    async (guest, { name, bytes }) => {
      const files = [{ name, size: bytes.length }]
      const body = { eventId: event._id, photoCredit: 'Table 4', files }
      const answer = await call(context.url, createUploadTickets, { headers: guest, body })
      const [ticket] = answer.body.tickets as NewTicket[]
      if (ticket?.outcome !== 'send') throw new Error('no ticket')
      await putFile(ticket.transfer, bytes)
      return String((await complete(context.url, ticket)).body.uploads[0]._id)
    },
  ],
  [
    'as a file whose hash is known',
    async (guest, { name, bytes }) => {
      const files = [{ name, size: bytes.length, sha256: sha256Of(bytes) }]
      const body = { eventId: event._id, photoCredit: 'Table 4', files }
      const answer = await call(context.url, createUploadTickets, { headers: guest, body })
      const [ticket] = answer.body.tickets as NewTicket[]
      return ticket?.outcome === 'duplicate' ? ticket.upload._id : ''
    },
  ],
]

test.each(sendAgain)(
  'When a photo that was taken back is sent again %s, then it is there again for those who have sent it, and stays',
  async (_, send) => {
    const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
    const file = await photo()
    const id = await sendPhoto(context, event, anna, file)
    await takeBack(id, anna)
    expect(await send(ben, file)).toBe(id)
    expect([await idsOf(anna), await idsOf(ben), await isListed(id)]).toEqual([[], [id], true])
    // By the guest who took it back, too.
    await takeBack(id, ben)
    expect(await send(anna, file)).toBe(id)
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], []])
    passTime(20_000)
    expect(await statusOfRestore(id, ben)).toBe(200)
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], [id]])
  },
)

test('When a client without a token sends what was taken back, then no guest can delete it', async () => {
  const anna = asGuest(newGuest())
  const file = await photo()
  const id = await sendPhoto(context, event, anna, file)
  await takeBack(id, anna)
  expect(await sendPhoto(context, event, {}, file)).toBe(id)
  expect(await isListed(id)).toBe(true)
  expect(await statusOfRestore(id, anna)).toBe(200)
  expect((await takeBack(id, anna)).status).toBe(200)
  expect(await isListed(id)).toBe(true)
})

test('When one of two guests takes a photo back, then only that guest’s list changes, and each can restore it', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const file = await photo()
  const id = await sendPhoto(context, event, anna, file)
  await sendPhoto(context, event, ben, file)
  await takeBack(id, anna)
  expect([await idsOf(anna), await idsOf(ben), await isListed(id)]).toEqual([[], [id], true])
  passTime(20_000)
  await takeBack(id, ben)
  expect([await idsOf(ben), await isListed(id)]).toEqual([[], false])
  expect(await statusOfRestore(id, anna)).toBe(200)
  expect([await idsOf(anna), await idsOf(ben), await isListed(id)]).toEqual([[id], [], true])
  passTime(15_000)
  expect(await statusOfRestore(id, ben)).toBe(200)
  expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], [id]])
})

test('When an organiser deletes what was taken back, then it is not restored', async () => {
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, event, anna)
  await takeBack(id, anna)
  expect((await call(context.url, deleteMyUpload, ofOrganiser(id))).status).toBe(200)
  expect(await statusOfRestore(id, anna)).toBe(404)
  await eventually(() => isDeletedForGood(id), 'the deletion')
  await eventually(() => messagesAbout(context, 'audit.recorded.v1', id).length === 1, 'the audit entry')
})

test('When an organiser hides what was taken back, then it is hidden when it is restored', async () => {
  const anna = asGuest(newGuest())
  const id = await readyPhoto(context, event, anna)
  await takeBack(id, anna)
  const body = { uploadIds: [id], visibility: 'hidden' } as const
  const answer = await call(context.url, setMyUploadsVisibility, { ...ofOrganiser(id), body })
  expect([answer.status, answer.body.uploadIds]).toEqual([200, []])
  expect((await restore(id, anna)).body.upload).toMatchObject({ visibility: 'hidden' })
  expect(await visibilityOf(context, event, id)).toBe('hidden')
})

test('When the media worker has read what was taken back, then it is ready when it is restored, and was seen by nobody', async () => {
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, event, anna)
  await takeBack(id, anna)
  const result = newMessage('media.processed.v1', { uploadId: id, width: 4_000, height: 3_000 })
  await context.messages.publish(toEnvelope(result, '/services/media'))
  const changes = () => messagesAbout(context, 'upload.changed.v1', id)
  await eventually(() => changes().length === 2, 'the result')
  expect(changes().map(({ isTakenBack }) => isTakenBack)).toEqual([true, true])
  expect(await isListed(id)).toBe(false)
  expect((await restore(id, anna)).body.upload).toMatchObject({ status: 'ready', width: 4_000 })
})

/** A photo with a declared hash, which is not verified, and one of another guest with the same bytes. */
const sendTwice = async (
  anna: Guest,
  ben: Guest,
): Promise<{ copy: string; id: string; merge: () => Promise<void> }> => {
  const { name, bytes } = await photo()
  const sha256 = sha256Of(bytes)
  const send = async (headers: Guest, declared: { sha256?: string }) => {
    const body = {
      eventId: event._id,
      photoCredit: 'Table 4',
      files: [{ name, size: bytes.length, ...declared }],
    }
    const answer = await call(context.url, createUploadTickets, { headers, body })
    const [ticket] = answer.body.tickets as NewTicket[]
    if (ticket?.outcome !== 'send') throw new Error('no ticket')
    await putFile(ticket.transfer, bytes)
    return String((await complete(context.url, ticket)).body.uploads[0]._id)
  }
  const copy = await send(ben, { sha256 })
  const id = await send(anna, {})
  const result = newMessage('media.processed.v1', { uploadId: copy, width: 1, height: 1, sha256, crc32: 7 })
  return {
    copy,
    id,
    merge: async () => {
      await context.messages.publish(toEnvelope(result, '/services/media'))
      await eventually(() => isDeletedForGood(copy), 'the merged one to be deleted')
    },
  }
}

test('When a photo that was taken back turns out to have the bytes of another one, then its guest restores that', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const { copy, id, merge } = await sendTwice(anna, ben)
  await takeBack(copy, ben)
  await merge()
  expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], []])
  expect((await restore(copy, ben)).body.upload).toMatchObject({ _id: id })
  expect([await idsOf(anna), await idsOf(ben)]).toEqual([[id], [id]])
})

test('When a photo turns out to have the bytes of one that was taken back, then it is not lost', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const { id, merge } = await sendTwice(anna, ben)
  await takeBack(id, anna)
  await merge()
  expect([await idsOf(anna), await idsOf(ben), await isListed(id)]).toEqual([[], [id], true])
})

test('When both photos with the same bytes were taken back, then neither comes back by itself', async () => {
  const [anna, ben] = [asGuest(newGuest()), asGuest(newGuest())]
  const { copy, id, merge } = await sendTwice(anna, ben)
  await takeBack(id, anna)
  await takeBack(copy, ben)
  await merge()
  expect(await isListed(id)).toBe(false)
  expect((await restore(copy, ben)).body.upload).toMatchObject({ _id: id })
  expect([await idsOf(anna), await idsOf(ben)]).toEqual([[], [id]])
})

test('When a photo of a full event is taken back, then there is room for another one once it cannot be restored', async () => {
  const limited = await eventWith(context, {})
  const anna = asGuest(newGuest())
  const id = await sendPhoto(context, limited, anna)
  await changeSettings(context, limited, { maxFiles: 1 })
  const send = async () => (await sendFiles(context.url, limited._id, [await photo()])).status
  expect(await send()).toBe(413)
  await takeBack(id, anna)
  expect(await send()).toBe(413)
  passTime(31_000)
  await eventually(async () => (await send()) === 201, 'room for another one')
})

test('When an earlier version has stored a photo, then it can be taken back and restored', async () => {
  const anna = newGuest()
  const id = await sendPhoto(context, event, asGuest(anna))
  const record = { _id: new mongoose.Types.ObjectId(id) }
  const before = {
    $set: { guestId: anna },
    $unset: { ownersRevision: '', takenBackBy: '', changedAt: '' },
  } as const
  await context.database.collection('uploads').updateOne(record, before)
  expect((await takeBack(id, asGuest(anna))).status).toBe(200)
  expect(await isListed(id)).toBe(false)
  expect(await statusOfRestore(id, asGuest(anna))).toBe(200)
  expect([await idsOf(asGuest(anna)), await isListed(id)]).toEqual([[id], true])
})
