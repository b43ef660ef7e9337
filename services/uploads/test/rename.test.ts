import {
  createMyEventArchive,
  createUploadTickets,
  deleteGuestUpload,
  listGallery,
  listGuestUploads,
  renameCredit,
  renameGuestUploads,
  renameMyCredit,
  restoreGuestUpload,
  setMyUploadsVisibility,
  type Event,
  type GalleryUpload,
  type GuestUpload,
  type NewTicket,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import { call, complete, eventually, newOrganiser, putFile, readGauge, sha256Of } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
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

// Guests correct their names, and organisers those of their guests.

let context: GallerySystem
let event: Event

beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(() => context.stop())

type Guest = ReturnType<typeof asGuest>

const rename = (headers: Record<string, string>, photoCredit?: string) =>
  call(context.url, renameGuestUploads, { headers, body: { eventId: event._id, photoCredit } })
const renameMine = (from: string, to: string, token = context.organiser.token) =>
  call(context.url, renameMyCredit, { token, params: { eventId: event._id }, body: { from, to } })
const creditsOf = async (...ids: string[]): Promise<(string | undefined)[]> => {
  const uploads = await uploadsOf(context, event)
  return ids.map((id) => uploads.find(({ _id }) => _id === id)?.photoCredit)
}
const idsOf = async (headers: Guest): Promise<string[]> => {
  const { body } = await call(context.url, listGuestUploads, { headers, query: { eventId: event._id } })
  return (body.uploads as GuestUpload[]).map(({ _id }) => _id).toSorted()
}
const as = (credit: string, guest: Guest, file?: Awaited<ReturnType<typeof photo>>) =>
  sendPhoto(context, event, guest, file, credit)
const guests = (): [Guest, Guest] => [asGuest(newGuest()), asGuest(newGuest())]

test('When a guest corrects a name, then lists, gallery and new archives have it, and open pages are told', async () => {
  event = await eventWith(context, { gallery: 'on' })
  const [anna, ben] = guests()
  const [first, second, other] = [await as('Ana', anna), await as('Anne', anna), await as('Ana', ben)]
  await makeReady(context, event, first, other)
  const look = (query: Record<string, string> = {}) =>
    call(context.url, listGallery, { params: { eventId: event._id }, query })
  const { version } = (await look()).body
  const { version: ofAna } = (await look({ credit: 'Ana' })).body
  const before = await readGauge(context.system, 'uploads', 'uploads_renamed_total')

  expect(await rename(anna, '  Anna ')).toMatchObject({ status: 200, body: { renamed: 2 } })
  expect(await creditsOf(first, second, other)).toEqual(['Anna', 'Anna', 'Ana'])
  const changed = (await look({ since: version as string })).body.uploads as GalleryUpload[]
  expect(changed.find(({ _id }) => _id === first)).toMatchObject({ photoCredit: 'Anna' })
  const ofOldName = (await look({ credit: 'Ana', since: ofAna as string })).body
  expect((ofOldName.uploads as GalleryUpload[]).map(({ _id }) => _id)).toEqual([other])
  expect(ofOldName.removed).toContain(first)
  await eventually(() => messagesAbout(context, 'upload.changed.v1', second).length === 1, 'the message')
  expect(messagesAbout(context, 'audit.recorded.v1', first)).toEqual([])
  expect(await readGauge(context.system, 'uploads', 'uploads_renamed_total')).toBe(before + 2)
  // Its answer was lost.
  expect(await rename(anna, 'Anna')).toMatchObject({ status: 200, body: { renamed: 0 } })
  // It is one guest now.
  expect(await as('Anna', anna)).not.toBe(first)
})

test('When a name is blank or too long, or nobody has sent anything under it, then nothing is renamed', async () => {
  event = await eventWith(context, {})
  const [anna, ben] = guests()
  const id = await as('Anna', anna)
  for (const blank of [undefined, '', '   '])
    expect(await rename(anna, blank)).toMatchObject({ status: 400, body: { code: 'credit_missing' } })
  expect((await rename(anna, 'x'.repeat(300))).status).toBe(400)
  for (const nobody of [ben, {}, { 'X-Issued-Guest-Id': anna['X-Guest-Id'] }])
    expect(await rename(nobody, 'Ben')).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
  expect(await renameMine('Anna', ' ')).toMatchObject({ status: 400, body: { code: 'credit_missing' } })
  expect((await renameMine('Nobody', 'Ben')).status).toBe(404)
  const stranger = await newOrganiser(context.system.url('auth'))
  expect((await renameMine('Anna', 'Ben', stranger.token)).status).toBe(404)
  expect(await creditsOf(id)).toEqual(['Anna'])
})

test('When an organiser or admin makes two names one, then all of both have it, and the audit log says who did it', async () => {
  event = await eventWith(context, {})
  const [bo, uncle] = guests()
  const [one, two, three] = [await as('Uncle Bo', bo), await as('uncle bo', uncle), await as('Bo', uncle)]
  expect(await renameMine('uncle bo', 'Uncle Bo')).toMatchObject({ status: 200, body: { renamed: 1 } })
  expect(await renameMine('uncle bo', 'Uncle Bo')).toMatchObject({ status: 200, body: { renamed: 0 } })
  const body = { from: 'Bo', to: 'Uncle Bo' }
  const params = { eventId: event._id }
  expect(await call(context.url, renameCredit, { token: context.admin.token, params, body })).toMatchObject({
    status: 200,
    body: { renamed: 1 },
  })
  expect(await creditsOf(one, two, three)).toEqual(['Uncle Bo', 'Uncle Bo', 'Uncle Bo'])
  const entries = () => [two, three].flatMap((id) => messagesAbout(context, 'audit.recorded.v1', id))
  await eventually(() => entries().length === 2, 'the entries')
  expect(entries()).toMatchObject([
    { action: 'upload.renamed', actor: { _id: context.organiser.user._id }, eventId: event._id },
    { action: 'upload.renamed', actor: { _id: context.admin.user._id }, eventId: event._id },
  ])
  const archive = await call(context.url, createMyEventArchive, {
    token: context.organiser.token,
    params,
    body: { folders: 'credit' },
  })
  const zip = await (await fetch(new URL(new URL(archive.body.url as string).pathname, context.url))).text()
  expect([zip.includes('Uncle Bo/'), zip.includes('uncle bo/')]).toEqual([true, false])
})

test.each(['older', 'newer'])(
  'When the renamed photo is the %s of two that then are equal, then the older one stays, and belongs to both guests',
  async (which) => {
    event = await eventWith(context, {})
    const [anna, ben] = guests()
    const file = await photo()
    const older = await as('Anna', anna, file)
    const newer = await as('Ben', ben, file)
    const own = await as('Ben', ben)
    expect(newer).not.toBe(older)
    const renamed = which === 'older' ? await rename(anna, 'Ben') : await rename(ben, 'Anna')
    expect(renamed).toMatchObject({ status: 200, body: { renamed: which === 'older' ? 1 : 2 } })
    const credit = which === 'older' ? 'Ben' : 'Anna'
    expect(await creditsOf(older, newer)).toEqual([credit, undefined])
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[older], [older, own].toSorted()])
    await eventually(() => messagesAbout(context, 'upload.deleted.v1', newer).length === 1, 'the deletion')
    // Neither is lost when one of them deletes it.
    await call(context.url, deleteGuestUpload, { headers: anna, params: { uploadId: older } })
    expect([await idsOf(anna), await idsOf(ben)]).toEqual([[], [older, own].toSorted()])
  },
)

test('When one of two equal photos is hidden, then renaming shows nothing that guests did not see', async () => {
  event = await eventWith(context, { gallery: 'on' })
  const [anna, ben] = guests()
  const file = await photo()
  const [older, newer] = [await as('Anna', anna, file), await as('Ben', ben, file)]
  await makeReady(context, event, older, newer)
  await call(context.url, setMyUploadsVisibility, {
    token: context.organiser.token,
    params: { eventId: event._id },
    body: { uploadIds: [older], visibility: 'hidden' },
  })
  await rename(ben, 'Anna')
  const { body } = await call(context.url, listGallery, { params: { eventId: event._id } })
  expect(body.uploads).toEqual([])
})

test('When a photo was taken back, then it is restored under the corrected name', async () => {
  event = await eventWith(context, {})
  const [anna] = guests()
  const id = await as('Ana', anna)
  await call(context.url, deleteGuestUpload, { headers: anna, params: { uploadId: id } })
  expect(await rename(anna, 'Anna')).toMatchObject({ status: 200, body: { renamed: 1 } })
  const restored = await call(context.url, restoreGuestUpload, { headers: anna, params: { uploadId: id } })
  expect(restored.body.upload).toMatchObject({ photoCredit: 'Anna' })
})

test('When a name is corrected before the hash of a photo was verified, then it is merged under the new name', async () => {
  event = await eventWith(context, {})
  const [anna, ben] = guests()
  const file = await photo()
  const sha256 = sha256Of(file.bytes)
  const answer = await call(context.url, createUploadTickets, {
    headers: ben,
    body: {
      eventId: event._id,
      photoCredit: 'Ana',
      files: [{ name: file.name, size: file.bytes.length, sha256 }],
    },
  })
  const [ticket] = answer.body.tickets as NewTicket[]
  if (ticket?.outcome !== 'send') throw new Error('no ticket')
  await putFile(ticket.transfer, file.bytes)
  const declared = String((await complete(context.url, ticket)).body.uploads[0]._id)
  const verified = await as('Anna', anna, file)
  expect(await rename(ben, 'Anna')).toMatchObject({ status: 200, body: { renamed: 1 } })
  expect(await creditsOf(declared, verified)).toEqual(['Anna', 'Anna'])
  const result = { uploadId: declared, width: 1, height: 1, sha256, crc32: 7 }
  await context.messages.publish(toEnvelope(newMessage('media.processed.v1', result), '/services/media'))
  await eventually(async () => (await idsOf(ben)).join() === verified, 'the merged one')
  expect(await creditsOf(declared, verified)).toEqual([undefined, 'Anna'])
})

test('When several rename the same photos at once, then none is there twice, and none is lost', async () => {
  event = await eventWith(context, {})
  const [anna, ben] = guests()
  const files = await Promise.all(Array.from({ length: 6 }, () => photo()))
  await Promise.all(files.flatMap((file) => [as('Anna', anna, file), as('Ben', ben, file)]))
  const answers = await Promise.all([renameMine('Ben', 'Anna'), rename(anna, 'Anna'), rename(ben, 'Anna')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const uploads = await uploadsOf(context, event)
  expect(uploads.map(({ photoCredit }) => photoCredit)).toEqual(files.map(() => 'Anna'))
  expect(new Set(uploads.map(({ sha256: hash }) => hash)).size).toBe(files.length)
  expect(await idsOf(anna)).toEqual(uploads.map(({ _id }) => _id).toSorted())
  expect(await idsOf(ben)).toEqual(await idsOf(anna))
})

test('When a guest corrects a name too often, then nothing is renamed any more, and other guests are not affected', async () => {
  event = await eventWith(context, {})
  const [anna, ben] = guests()
  const [id, other] = [await as('0', anna), await as('Bne', ben)]
  for (let count = 1; count <= 20; count += 1) expect((await rename(anna, String(count))).status).toBe(200)
  const refused = await rename(anna, 'Anna')
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await rename(ben, 'Ben')).status).toBe(200)
  expect(await creditsOf(id, other)).toEqual(['20', 'Ben'])
})
