import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BlobServiceClient } from '@azure/storage-blob'
import {
  createEventArchive,
  createMyEventArchive,
  deleteUpload,
  type Archive,
  type Event,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  readGauge,
  readSample,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { createArchiveLinks } from '../src/archives/archive-links.ts'

const run = promisify(execFile)

let system: TestSystem
let url: string
let admin: Account
let organiser: Account
let folder: string
let database: Connection

beforeAll(async () => {
  system = await startTestSystem({
    // Without the media worker: the checksums are computed when the archive is created.
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { MAX_ARCHIVE_DOWNLOADS: '2', SWEEP_INTERVAL_MS: '500' } },
  })
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
  folder = await mkdtemp(join(tmpdir(), 'confetti-archive-'))
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads'))
    .asPromise()
})

afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
  await system.stop()
})

interface Sent {
  _id: string
  name: string
  bytes: Buffer
}

/** An event with these files of a guest each, as `credit/name`. */
const eventWith = async (
  files: Record<string, Buffer<ArrayBuffer>>,
): Promise<{ event: Event; sent: Sent[] }> => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const sent: Sent[] = []
  for (const [path, bytes] of Object.entries(files)) {
    const [credit = '', name = ''] = path.split('/')
    const { body } = await sendFiles(url, event._id, [{ name, bytes }], credit)
    const [{ _id }] = body.uploads as [{ _id: string }]
    sent.push({ _id, name, bytes })
  }
  return { event, sent }
}

const createArchive = async (event: Event, body: object = {}): Promise<Archive> => {
  const answer = await call(url, createMyEventArchive, {
    token: organiser.token,
    params: { eventId: event._id },
    body,
  })
  expect(answer.status).toBe(201)
  return answer.body as Archive
}

const download = async (archive: Archive, headers: Record<string, string> = {}) => {
  const response = await fetch(archive.url, { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Unpacks an archive with another program. Returns its files by their paths, in the order of the archive. */
const unpack = async (bytes: Buffer): Promise<Map<string, Buffer>> => {
  const target = await mkdtemp(join(folder, 'unpacked-'))
  const path = join(target, 'archive.zip')
  await writeFile(path, bytes)
  await run('unzip', ['-q', path, '-d', target])
  const { stdout } = await run('unzip', ['-Z1', path])
  const files = new Map<string, Buffer>()
  for (const name of stdout.trimEnd().split('\n')) files.set(name, await readFile(join(target, name)))
  return files
}

test('When an organiser asks for an archive, then its link downloads all files, each as it was sent', async () => {
  const { event, sent } = await eventWith({
    'Anna/a.jpg': await uniquePhoto(),
    'Ben/b.jpg': await uniquePhoto(),
    'Anna/clip.mp4': await readSample('video.mp4'),
  })
  const archive = await createArchive(event)
  const filename = `${event.name} ${event.startDate}.zip`
  expect(archive).toMatchObject({ filename, files: 3 })
  expect(new Date(archive.expiresAt).getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000)

  const { response, bytes } = await download(archive)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(archive.bytes),
    'content-disposition': `attachment; filename="${filename}"`,
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
  })
  expect(bytes).toHaveLength(archive.bytes)
  const files = await unpack(bytes)
  for (const { name, bytes: original } of sent) expect(files.get(name)).toEqual(original)
  expect(files.size).toBe(3)
})

test('When an archive has folders, then each guest has one', async () => {
  const { event } = await eventWith({
    'Anna/a.jpg': await uniquePhoto(),
    'ANNA/a.jpg': await uniquePhoto(),
    'Tisch: 4/c.jpg': await uniquePhoto(),
  })
  const { bytes } = await download(await createArchive(event, { folders: 'credit' }))
  const names = [...(await unpack(bytes)).keys()]
  expect(names.map((name) => name.split('/')[0])).toEqual(['Anna', 'ANNA-2', 'Tisch 4'])
})

test('When uploads are selected, then the archive has only these', async () => {
  const { event, sent } = await eventWith({
    'Anna/a.jpg': await uniquePhoto(),
    'Anna/b.jpg': await uniquePhoto(),
    'Anna/c.jpg': await uniquePhoto(),
  })
  const [one, , three] = sent
  const archive = await createArchive(event, { uploadIds: [three?._id, one?._id] })
  expect(archive.files).toBe(2)
  expect([...(await unpack((await download(archive)).bytes)).keys()]).toEqual(['a.jpg', 'c.jpg'])
})

test('When an upload arrives later, then it is not in the archive', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const archive = await createArchive(event)
  await sendFiles(url, event._id, [{ name: 'late.jpg', bytes: await uniquePhoto() }])
  const { bytes } = await download(archive)
  expect([...(await unpack(bytes)).keys()]).toEqual(['a.jpg'])
  expect((await createArchive(event)).files).toBe(2)
})

test('When parts of an archive are requested, then they are what the whole archive has there', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto(), 'Ben/b.jpg': await uniquePhoto() })
  const archive = await createArchive(event)
  const { bytes, response } = await download(archive)
  const etag = response.headers.get('etag') ?? ''
  const size = archive.bytes

  const head = await fetch(archive.url, { method: 'HEAD', headers: { Range: 'bytes=0-0' } })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String(size))
  expect(head.headers.get('etag')).toBe(etag)

  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=10-', 10, size],
    ['bytes=-25', size - 25, size],
    [`bytes=-${size + 1}`, 0, size],
    [`bytes=${size - 1}-${size + 100}`, size - 1, size],
  ] as const) {
    const part = await download(archive, { Range: range })
    expect(part.response.status).toBe(206)
    expect(part.response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
    expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true)
  }
  // What can't be answered by one range is answered by the whole.
  for (const range of ['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'lines=1-2', 'nonsense'])
    expect((await download(archive, { Range: range })).response.status).toBe(200)

  expect((await download(archive, { Range: 'bytes=5-', 'If-Range': etag })).response.status).toBe(206)
  expect((await download(archive, { Range: 'bytes=5-', 'If-Range': '"other"' })).response.status).toBe(200)

  const outside = await download(archive, { Range: `bytes=${size}-` })
  expect(outside.response.status).toBe(416)
  expect(outside.response.headers.get('content-range')).toBe(`bytes */${size}`)
})

test('When the same archive is asked for again, then an interrupted download can be resumed by the new link', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const one = await download(await createArchive(event))
  const other = await download(await createArchive(event), {
    Range: 'bytes=100-',
    'If-Range': one.response.headers.get('etag') ?? '',
  })
  expect(other.response.status).toBe(206)
  expect(other.bytes.equals(one.bytes.subarray(100))).toBe(true)
})

test('When an upload of an archive is deleted, then its link is gone, and that of the others is not', async () => {
  const { event, sent } = await eventWith({
    'Anna/a.jpg': await uniquePhoto(),
    'Anna/b.jpg': await uniquePhoto(),
  })
  const all = await createArchive(event)
  const second = await createArchive(event, { uploadIds: [sent[1]?._id] })
  await call(url, deleteUpload, { token: admin.token, params: { uploadId: sent[0]?._id ?? '' } })
  const { response, bytes } = await download(all, { Range: 'bytes=100-' })
  expect([response.status, JSON.parse(bytes.toString())]).toMatchObject([410, { code: 'archive_outdated' }])
  expect((await download(second)).response.status).toBe(200)
  expect((await createArchive(event)).files).toBe(1)
})

const tokenOf = ({ url: link }: Archive) => {
  const [, archiveId = '', expires = '', signature = ''] =
    /archives\/([0-9a-f]{64})\.(\d+)\.([\w-]+)\//.exec(link) ?? []
  return { archiveId, expires, signature }
}

/** The stored lists of archives, whose ids are texts. */
const storedArchives = () => database.collection<{ _id: string; linkKey: string }>('archives')

test('When a link has expired or was changed, then it is refused', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const archive = await createArchive(event)
  const { archiveId, expires, signature } = tokenOf(archive)
  const withToken = (token: string): string => archive.url.replace(/archives\/[^/]+\//, `archives/${token}/`)
  const { linkKey = '' } = (await storedArchives().findOne({ _id: archiveId })) ?? {}
  const links = createArchiveLinks([system.environment('uploads').TICKET_SECRET ?? ''])
  const sign = (id: string, expiresInMs: number, key = linkKey): string =>
    links.sign(
      { archiveId: id, expiresAt: new Date(Date.now() + expiresInMs) },
      { linkKey: key, filename: archive.filename },
    )
  expect((await fetch(withToken(sign(archiveId, 60_000)))).status).toBe(200)
  const earlier = links.sign({ archiveId, expiresAt: new Date(Date.now() + 60_000) }, { linkKey })
  const earlierUrl = (name: string): string =>
    withToken(earlier).replace(encodeURIComponent(archive.filename), name)
  expect((await fetch(earlierUrl(`Event_${event._id}.zip`))).status).toBe(200)
  for (const [address, status, code] of [
    [withToken(sign(archiveId, -1)), 410, 'archive_expired'],
    [withToken(sign('0'.repeat(64), 60_000)), 410, 'archive_expired'],
    [withToken(sign(archiveId, 60_000, 'another key')), 404, 'archive_not_found'],
    [withToken(`${archiveId}.${Number(expires) + 1}.${signature}`), 404, 'archive_not_found'],
    [withToken(`${archiveId}.${expires}.${'A'.repeat(43)}`), 404, 'archive_not_found'],
    [withToken('nonsense'), 404, 'archive_not_found'],
    [archive.url.replace('.zip', '.exe'), 404, 'archive_not_found'],
    [earlierUrl('Other.zip'), 404, 'archive_not_found'],
  ] as const) {
    const response = await fetch(address)
    expect([response.status, await response.json()]).toMatchObject([status, { code }])
  }
})

test('When an archive is removed to revoke its links, then they stay revoked when it is made again', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const leaked = await createArchive(event)
  const { archiveId } = tokenOf(leaked)
  await database.collection('archivepages').deleteMany({ archiveId })
  await storedArchives().deleteOne({ _id: archiveId })
  expect((await fetch(leaked.url)).status).toBe(410)
  const next = await createArchive(event)
  expect(tokenOf(next).archiveId).toBe(archiveId)
  expect((await fetch(next.url)).status).toBe(200)
  expect((await fetch(leaked.url)).status).toBe(404)
})

test('When somebody else asks for an archive, or there is nothing to download, then there is none', async () => {
  const { event, sent } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const params = { eventId: event._id }
  const stranger = await newOrganiser(system.url('auth'))
  const ask = (token: string | undefined, body: object, eventId = event._id) =>
    call(url, createMyEventArchive, { token, params: { eventId }, body })
  expect(await ask(stranger.token, {})).toMatchObject({ status: 404, body: { code: 'event_not_found' } })
  expect((await ask(undefined, {})).status).toBe(401)
  expect((await ask(admin.token, {})).status).toBe(403)
  expect((await call(url, createEventArchive, { token: organiser.token, params, body: {} })).status).toBe(403)
  expect((await call(url, createEventArchive, { token: admin.token, params, body: {} })).status).toBe(201)

  const empty = await newEvent(system.url('events'), admin, organiser)
  expect(await ask(organiser.token, {}, empty._id)).toMatchObject({
    status: 404,
    body: { code: 'no_uploads' },
  })
  const unknownUpload = { uploadIds: [sent[0]?._id, '0'.repeat(24)] }
  expect(await ask(organiser.token, unknownUpload)).toMatchObject({
    status: 404,
    body: { code: 'upload_not_found' },
  })
  for (const body of [{ uploadIds: [] }, { uploadIds: ['x'] }, { folders: 'date' }])
    expect((await ask(organiser.token, body)).status).toBe(400)
})

/** Starts a download that reads nothing after the headers. */
const startSlowDownload = async (archive: Archive): Promise<IncomingMessage> => {
  const [response] = (await once(get(archive.url), 'response')) as [IncomingMessage]
  response.pause()
  return response
}

test('When as many downloads are running as allowed, then the next one waits, until a client leaves', async () => {
  // More than what fits between server and client.
  const clip = Buffer.concat([await readSample('video.mp4'), Buffer.alloc(30_000_000)])
  const { event } = await eventWith({ 'Anna/clip.mp4': clip })
  const archive = await createArchive(event)
  const running = [await startSlowDownload(archive), await startSlowDownload(archive)]
  const refused = await fetch(archive.url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  for (const response of running) response.destroy()
  await eventually(async () => (await readGauge(system, 'uploads', 'uploads_archives_in_progress')) === 0)
  const { bytes } = await download(archive)
  expect((await unpack(bytes)).get('clip.mp4')?.equals(clip)).toBe(true)
})

test('When a file is missing in blob storage, then the download ends early, and never looks complete', async () => {
  const { event, sent } = await eventWith({
    'Anna/a.jpg': Buffer.concat([await uniquePhoto(), Buffer.alloc(9_000_000)]),
    'Anna/b.jpg': await uniquePhoto(),
  })
  const archive = await createArchive(event)
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  await container.deleteBlob(`${sent[1]?._id}/original`)
  const failures = () =>
    readCounter(system, 'uploads', 'uploads_archive_downloads_total', { outcome: 'failed' })
  const failuresBefore = await failures()
  const response = await fetch(archive.url)
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow()
  // A request that needs it at once is answered by an error.
  const { response: rest } = await download(archive, { Range: 'bytes=-500' })
  expect(rest.status).toBe(503)
  await eventually(
    () => system.log.filter((line) => line.includes('archive download failed')).length === 2,
    'both lines in the log',
  )
  expect(system.log.some((line) => line.includes(`the original of upload ${sent[1]?._id}`))).toBe(true)
  expect((await failures()) - failuresBefore).toBe(1)
})

test('When archives have expired, then the sweep removes them', async () => {
  const { event } = await eventWith({ 'Anna/a.jpg': await uniquePhoto() })
  const archive = await createArchive(event)
  const [, archiveId = ''] = /archives\/([0-9a-f]{64})/.exec(archive.url) ?? []
  const archives = database.collection('archives')
  const pages = database.collection('archivepages')
  expect(await pages.countDocuments({ archiveId })).toBe(1)
  await archives.updateOne({ eventId: event._id }, { $set: { expiresAt: new Date(Date.now() - 1_000) } })
  await eventually(async () => (await archives.countDocuments({ eventId: event._id })) === 0, 'the sweep')
  expect(await pages.countDocuments({ archiveId })).toBe(0)
  expect((await fetch(archive.url)).status).toBe(410)
})
