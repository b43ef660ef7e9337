import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { Upload } from '@confetti/contracts'
import { unzipSync } from 'fflate'
import { uploadFixtures } from '../test/upload-fixture.ts'
import { downloadBatches, type BatchProgress } from './download-batches.ts'
import { fetchFile, loadZip } from './browser-files.ts'

let server: Server
let origin: string
/** How the storage fails for a path; other paths respond with their bytes. */
let faults: Map<string, number | 'hang' | 'truncate'>
let requestedPaths: string[]
let inFlight: number
let maxInFlight: number
/** How many must have been in flight before the first response. */
let awaitedInFlight: number

const bytesOf = (path: string): Buffer =>
  Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * path.length) % 251))

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const fault = faults.get(path)
    requestedPaths.push(path)
    inFlight += 1
    maxInFlight = Math.max(maxInFlight, inFlight)
    response.on('close', () => {
      inFlight -= 1
    })
    const respond = async (): Promise<void> => {
      do await sleep(5)
      while (maxInFlight < awaitedInFlight)
      if (fault === 'hang') return
      if (fault === 'truncate') {
        response.writeHead(200, { 'Content-Length': 40_000 })
        response.write(bytesOf(path).subarray(0, 1_000), () => response.destroy())
      } else if (fault) response.writeHead(fault).end('refused')
      else response.end(bytesOf(path))
    }
    void respond()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  faults = new Map()
  requestedPaths = []
  inFlight = 0
  maxInFlight = 0
  awaitedInFlight = 1
})

const pathOf = ({ _id }: Upload): string => `/${_id}`
const uploadsWith = (count: number, query = ''): Upload[] =>
  uploadFixtures(count).map((upload) => ({ ...upload, url: `${origin}${pathOf(upload)}${query}` }))

const download = async (
  uploads: readonly Upload[],
  options: {
    batchSize?: number
    maxBatchBytes?: number
    firstNumber?: number
    listUploads?: () => Promise<readonly Upload[]>
    signal?: AbortSignal
    onProgress?: (batch: BatchProgress) => void
    onSave?: (name: string) => void
    /** The file that is given up soon when it stalls. */
    stalled?: Upload
    /** How many files fit into memory. */
    maxFiles?: number
    /** The file that does not fit into memory. */
    tooLarge?: Upload
  } = {},
) => {
  const zips: { name: string; files: Record<string, Uint8Array> }[] = []
  const saved: [number, number][] = []
  let unreleased = 0
  const unreleasedWhilePacking: number[] = []
  const outcome = await downloadBatches(
    {
      eventId: 'party',
      uploads,
      batchSize: 10,
      maxBatchBytes: Infinity,
      listUploads: () => Promise.resolve(uploads),
      onProgress: () => undefined,
      onSaved: (number, of) => {
        saved.push([number, of])
        return Promise.resolve()
      },
      signal: new AbortController().signal,
      ...options,
    },
    {
      fetchFile: (url, { signal }) => {
        if (url === options.tooLarge?.url) throw new RangeError('Array buffer allocation failed')
        return fetchFile(url, { signal, stallTimeoutMs: url === options.stalled?.url ? 100 : 60_000 })
      },
      makeZip: async (entries, signal) => {
        if (entries.length > (options.maxFiles ?? Infinity))
          throw new RangeError('Array buffer allocation failed')
        unreleasedWhilePacking.push(unreleased)
        const zip = await (await loadZip())(entries, signal)
        zips.push({ name: '', files: unzipSync(new Uint8Array(await zip.arrayBuffer())) })
        return zip
      },
      saveFile: (_, name) => {
        options.onSave?.(name)
        const latest = zips.at(-1)
        if (latest) latest.name = name
        unreleased += 1
        return () => {
          unreleased -= 1
        }
      },
      waitBeforeRetry: () => Promise.resolve(),
    },
  )
  return { zips, saved, unreleasedWhilePacking, ...outcome }
}

test('When there are more files than a batch holds, then each batch is a zip with its files, byte for byte', async () => {
  const uploads = uploadsWith(23)
  const { zips, saved, failed } = await download(uploads)
  expect(failed).toEqual([])
  expect(zips.map(({ name }) => name)).toEqual([
    'Event_party_Batch1.zip',
    'Event_party_Batch2.zip',
    'Event_party_Batch3.zip',
  ])
  expect(saved).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
  const files = Object.assign({}, ...zips.map((zip) => zip.files)) as Record<string, Uint8Array>
  expect(Object.keys(files)).toEqual(uploads.map(({ originalName }) => originalName))
  for (const upload of uploads)
    expect(Buffer.from(files[upload.originalName] ?? []).equals(bytesOf(pathOf(upload)))).toBe(true)
})

test('When files are fetched, then at most four at a time, and the progress counts each file of a batch', async () => {
  const progress: BatchProgress[] = []
  awaitedInFlight = 4
  await download(uploadsWith(12), { onProgress: (batch) => progress.push(batch) })
  expect(maxInFlight).toBe(4)
  expect(progress.filter(({ number }) => number === 1).map(({ done }) => done)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  expect(progress.at(-1)).toEqual({ number: 2, files: 2, done: 2 })
})

test('When files fail, then the others are saved, and the outcome lists the failed ones', async () => {
  const uploads = uploadsWith(6)
  const [gone, failing, truncated] = uploads
  if (!gone || !failing || !truncated) throw new Error('no uploads')
  faults.set(pathOf(gone), 404).set(pathOf(failing), 500).set(pathOf(truncated), 'truncate')
  const { zips, failed } = await download(uploads)
  expect(failed.map(({ _id }) => _id).sort()).toEqual([gone, failing, truncated].map(({ _id }) => _id).sort())
  expect(Object.keys(zips[0]?.files ?? {})).toEqual(uploads.slice(3).map(({ originalName }) => originalName))
  // Only failures that may be temporary are retried.
  expect(requestedPaths.filter((path) => path === pathOf(gone))).toHaveLength(1)
  expect(requestedPaths.filter((path) => path === pathOf(failing))).toHaveLength(2)
})

test('When a file stalls, then it fails, and the others are saved', async () => {
  const uploads = uploadsWith(3)
  const [, stalled] = uploads
  if (!stalled) throw new Error('no uploads')
  faults.set(pathOf(stalled), 'hang')
  const { zips, failed } = await download(uploads, { stalled })
  expect(failed).toEqual([stalled])
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(2)
})

test('When the links have expired, then they are renewed once, and all files are saved', async () => {
  const expired = uploadsWith(9)
  for (const upload of expired) faults.set(pathOf(upload), 403)
  let lists = 0
  const { zips, failed } = await download(expired, {
    listUploads: async () => {
      lists += 1
      await sleep(20)
      return uploadsWith(9, '?fresh')
    },
  })
  expect(failed).toEqual([])
  expect(lists).toBe(1)
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(9)
})

test('When files are refused with fresh links too, then the links are renewed only once', async () => {
  const uploads = uploadsWith(8)
  for (const upload of uploads) faults.set(pathOf(upload), 403)
  let lists = 0
  const { zips, failed } = await download(uploads, {
    listUploads: () => {
      lists += 1
      return Promise.resolve(uploads)
    },
  })
  expect(failed).toHaveLength(8)
  expect(lists).toBe(1)
  expect(zips).toEqual([])
})

test('When a batch is packed, then the memory of the one before has been released', async () => {
  const { unreleasedWhilePacking } = await download(uploadsWith(30))
  expect(unreleasedWhilePacking).toEqual([0, 0, 0])
})

test('When a batch does not fit into memory, then its files have failed, the others are saved, and the outcome says why', async () => {
  const uploads = uploadsWith(12)
  const { zips, failed, ranOutOfMemory } = await download(uploads, { maxFiles: 5 })
  expect(ranOutOfMemory).toBe(true)
  expect(failed).toEqual(uploads.slice(0, 10))
  expect(zips.map(({ name }) => name)).toEqual(['Event_party_Batch2.zip'])
})

test('When files are large, then a batch ends at its limit of bytes, and a larger file is a batch of its own', async () => {
  const sizes = [4, 6, 1, 11, 5, 5, ...Array<number>(11).fill(0.1)]
  const uploads = uploadsWith(sizes.length).map((upload, index) => ({ ...upload, size: sizes[index] ?? 0 }))
  const { zips, saved } = await download(uploads, { batchSize: 10, maxBatchBytes: 10 })
  expect(zips.map(({ files }) => Object.keys(files).length)).toEqual([2, 1, 1, 2, 10, 1])
  expect(saved).toEqual([1, 2, 3, 4, 5, 6].map((number) => [number, 6]))
})

test('When a file does not fit into memory, then it has failed, the others are saved, and the outcome says why', async () => {
  const [tooLarge, ...others] = uploadsWith(3)
  const { zips, failed, ranOutOfMemory } = await download([...others, ...(tooLarge ? [tooLarge] : [])], {
    tooLarge,
  })
  expect(ranOutOfMemory).toBe(true)
  expect(failed).toEqual([tooLarge])
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(2)
})

test('When the first batch has another number, then the zips are numbered from there', async () => {
  const { zips, saved } = await download(uploadsWith(3), { batchSize: 2, firstNumber: 4 })
  expect(zips.map(({ name }) => name)).toEqual(['Event_party_Batch4.zip', 'Event_party_Batch5.zip'])
  expect(saved).toEqual([
    [4, 5],
    [5, 5],
  ])
})

test('When the signal aborts, then the download ends at once, and nothing more is saved', async () => {
  const controller = new AbortController()
  const savedNames: string[] = []
  const downloading = download(uploadsWith(20), {
    signal: controller.signal,
    onSave: (name) => savedNames.push(name),
    onProgress: ({ number }) => {
      if (number === 2) controller.abort()
    },
  })
  await expect(downloading).rejects.toThrow('aborted')
  expect(requestedPaths.length).toBeLessThanOrEqual(14)
  expect(savedNames).toEqual(['Event_party_Batch1.zip'])
})
