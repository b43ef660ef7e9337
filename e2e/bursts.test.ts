import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import { newEvent, sample, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { streamFile, type LargeFile } from './guests.ts'
import { sha256 } from './sha256.ts'
import { download, listUploads, startStand, type Stand } from './stand.ts'

const CEILING = 352 * MB

let stand: Stand

beforeAll(async () => {
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: { uploads: { MEMORY_CEILING_BYTES: String(CEILING) } },
  })
}, 120_000)
afterAll(() => stand.system.stop())

test('When 50 guests on one address send 200 photos of 2 MB, then none is refused and each is kept byte for byte', async () => {
  const { api, admin, organiser } = stand
  const event = await newEvent(api, admin, organiser)
  const photo = await sample('phone-jolla.jpg')
  const sent = new Map<string, string>()
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, guest) => {
      const seen: number[] = []
      for (let n = 0; n < 4; n += 1) {
        const bytes = Buffer.concat([photo, randomBytes(2 * MB - photo.length)])
        const reply = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes }], `Table ${guest}`)
        seen.push(reply.status)
        sent.set(reply.body.uploads[0]._id as string, sha256(bytes))
      }
      return seen
    }),
  )
  expect(statuses.flat()).toEqual(Array(200).fill(201))
  const uploads = await listUploads(stand, event._id)
  expect(uploads).toHaveLength(200)
  expect(new Set(uploads.map(({ filename }) => filename.toLowerCase())).size).toBe(200)
  for (const upload of uploads) expect(sha256(await download(upload.url))).toBe(sent.get(upload._id))
}, 240_000)

const memoryOf = async (pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) *
  1_024

const hashOf = (file: LargeFile): string => {
  const hash = createHash('sha256')
  for (const chunk of file.chunks()) hash.update(chunk)
  return hash.digest('hex')
}

test('When 20 videos of 100 MB arrive at once, then the uploads service grows by its ceiling at most and all arrive whole', async () => {
  const clip = await sample('video.mp4')
  const filler = randomBytes(MB)
  const files: LargeFile[] = Array.from({ length: 20 }, (_, n) => ({
    name: `video-${n}.mp4`,
    size: clip.length + 99 * MB + 8,
    chunks: function* () {
      yield clip
      for (let part = 0; part < 99; part += 1) yield filler
      yield Buffer.from(String(n).padStart(8, '0'))
    },
  }))
  const pid = stand.system.replicas('uploads')[0]?.pid() ?? 0
  const before = await memoryOf(pid, 'VmRSS')

  await Promise.all(
    files.map(async (file) => {
      for (let status = 0; status !== 201;) {
        status = await streamFile(stand, file)
        if (status === 503) await sleep(2_000)
        else expect(status).toBe(201)
      }
    }),
  )
  const grown = (await memoryOf(pid, 'VmHWM')) - before
  console.info(`20 x 100 MB: the uploads service grew by ${Math.round(grown / MB)} MB`)
  expect(grown).toBeLessThanOrEqual(CEILING)

  const uploads = await listUploads(stand)
  expect(uploads).toHaveLength(20)
  const kept = new Map(uploads.map(({ originalName, sha256: hash, size }) => [originalName, { hash, size }]))
  for (const file of files) expect(kept.get(file.name)).toEqual({ hash: hashOf(file), size: file.size })
  const first = uploads[0]
  expect(sha256(await download(first?.url ?? ''))).toBe(first?.sha256)
}, 600_000)
