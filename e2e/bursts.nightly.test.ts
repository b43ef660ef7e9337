import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import { newEvent, readSample, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startHarness, type Harness } from './harness.ts'
import { sha256 } from './sha256.ts'
import { streamUpload, type LargeFile } from './simulated-guests.ts'

const MEMORY_LIMIT_BYTES = 352 * MB

let harness: Harness

beforeAll(async () => {
  harness = await startHarness({
    services: ['auth', 'events', 'uploads', 'contact', 'notifications', 'live', 'gateway'],
    processes: ['uploads'],
    environment: { uploads: { MEMORY_LIMIT_BYTES: String(MEMORY_LIMIT_BYTES) } },
  })
})
afterAll(() => harness.system.stop())

test('When 50 guests on one IP address upload 200 photos of 2 MB, then all are accepted and stored byte for byte', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  const photo = await readSample('phone-jolla.jpg')
  const hashes = new Map<string, string>()
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, guest) => {
      const guestStatuses: number[] = []
      for (let n = 0; n < 4; n += 1) {
        const bytes = Buffer.concat([photo, randomBytes(2 * MB - photo.length)])
        const { status, body } = await sendFiles(
          api,
          event._id,
          [{ name: 'image.jpg', bytes }],
          `Table ${guest}`,
        )
        guestStatuses.push(status)
        hashes.set(body.uploads[0]._id as string, sha256(bytes))
      }
      return guestStatuses
    }),
  )
  expect(statuses.flat()).toEqual(Array(200).fill(201))
  const uploads = await listUploads(harness, event._id)
  expect(uploads).toHaveLength(200)
  expect(new Set(uploads.map(({ filename }) => filename.toLowerCase())).size).toBe(200)
  for (const upload of uploads) expect(sha256(await download(upload.url))).toBe(hashes.get(upload._id))
}, 240_000)

const readProcessMemory = async (pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) *
  1_024

const hashFile = (file: LargeFile): string => {
  const hash = createHash('sha256')
  for (const chunk of file.chunks()) hash.update(chunk)
  return hash.digest('hex')
}

test('When 20 videos of 100 MB are uploaded at once, then all are stored and memory growth stays within the limit', async () => {
  const clip = await readSample('video.mp4')
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
  const pid = harness.system.replicas('uploads')[0]?.pid() ?? 0
  const memoryBefore = await readProcessMemory(pid, 'VmRSS')

  await Promise.all(
    files.map(async (file) => {
      for (let status = 0; status !== 201;) {
        status = await streamUpload(harness, file)
        if (status === 503) await sleep(2_000)
        else expect(status).toBe(201)
      }
    }),
  )
  const growth = (await readProcessMemory(pid, 'VmHWM')) - memoryBefore
  console.info(`20 x 100 MB: the memory of the uploads service grew by ${Math.round(growth / MB)} MB`)
  expect(growth).toBeLessThanOrEqual(MEMORY_LIMIT_BYTES)

  const uploads = await listUploads(harness)
  expect(uploads).toHaveLength(20)
  const stored = new Map(
    uploads.map(({ originalName, sha256: hash, size }) => [originalName, { hash, size }]),
  )
  for (const file of files) expect(stored.get(file.name)).toEqual({ hash: hashFile(file), size: file.size })
  const first = uploads[0]
  expect(sha256(await download(first?.url ?? ''))).toBe(first?.sha256)
}, 600_000)
