import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { Upload } from '@confetti/contracts'
import { unzipSync } from 'fflate'
import { someUploads } from '../test/some-upload.ts'
import { downloadBatches, type BatchProgress } from './download-batches.ts'
import { fetchFile } from './fetch-file.ts'
import { loadZip } from './zip.ts'

let server: Server
let origin: string
/** What the storage does with a path; the file's bytes where it says nothing. */
let faults: Map<string, number | 'hang' | 'cut'>
let asked: string[]
let atOnce: number
let mostAtOnce: number

const bytesOf = (path: string): Buffer =>
  Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * path.length) % 251))

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const fault = faults.get(path)
    asked.push(path)
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.on('close', () => {
      atOnce -= 1
    })
    void sleep(5).then(() => {
      if (fault === 'hang') return
      if (fault === 'cut') {
        response.writeHead(200, { 'Content-Length': 40_000 })
        response.write(bytesOf(path).subarray(0, 1_000), () => response.destroy())
      } else if (fault) response.writeHead(fault).end('refused')
      else response.end(bytesOf(path))
    })
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
  asked = []
  atOnce = 0
  mostAtOnce = 0
})

const pathOf = ({ _id }: Upload): string => `/${_id}`
const uploadsWith = (count: number, query = ''): Upload[] =>
  someUploads(count).map((upload) => ({ ...upload, url: `${origin}${pathOf(upload)}${query}` }))

const download = async (
  uploads: readonly Upload[],
  options: {
    batchSize?: number
    firstNumber?: number
    listAgain?: () => Promise<readonly Upload[]>
    signal?: AbortSignal
    onProgress?: (batch: BatchProgress) => void
    stallLimitMs?: number
    /** How many files there is room for. */
    room?: number
    /** The file that there is no room for. */
    tooLarge?: Upload
  } = {},
) => {
  const zips: { name: string; files: Record<string, Uint8Array> }[] = []
  const saved: [number, number][] = []
  let kept = 0
  const keptWhilePacking: number[] = []
  const outcome = await downloadBatches(
    {
      eventId: 'party',
      uploads,
      batchSize: 10,
      listAgain: () => Promise.resolve(uploads),
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
        return fetchFile(url, { signal, stallLimitMs: options.stallLimitMs ?? 2_000 })
      },
      makeZip: async (entries, signal) => {
        if (entries.length > (options.room ?? Infinity))
          throw new RangeError('Array buffer allocation failed')
        keptWhilePacking.push(kept)
        const zip = await (await loadZip())(entries, signal)
        zips.push({ name: '', files: unzipSync(new Uint8Array(await zip.arrayBuffer())) })
        return zip
      },
      saveFile: (_, name) => {
        const latest = zips.at(-1)
        if (latest) latest.name = name
        kept += 1
        return () => {
          kept -= 1
        }
      },
      beforeRetry: () => Promise.resolve(),
    },
  )
  return { zips, saved, keptWhilePacking, ...outcome }
}

test('When there are more files than fit a batch, then each batch is a zip with its files, byte for byte', async () => {
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

test('When files are fetched, then no more than four at a time, and each batch goes from nothing to all', async () => {
  const progress: BatchProgress[] = []
  await download(uploadsWith(12), { onProgress: (batch) => progress.push(batch) })
  expect(mostAtOnce).toBe(4)
  expect(progress.filter(({ number }) => number === 1).map(({ done }) => done)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  expect(progress.at(-1)).toEqual({ number: 2, files: 2, done: 2 })
})

test('When files fail, then the others are saved, and those that failed are named', async () => {
  const uploads = uploadsWith(6)
  const [gone, broken, cut] = uploads
  if (!gone || !broken || !cut) throw new Error('no uploads')
  faults.set(pathOf(gone), 404).set(pathOf(broken), 500).set(pathOf(cut), 'cut')
  const { zips, failed } = await download(uploads)
  expect(failed.map(({ _id }) => _id).sort()).toEqual([gone, broken, cut].map(({ _id }) => _id).sort())
  expect(Object.keys(zips[0]?.files ?? {})).toEqual(uploads.slice(3).map(({ originalName }) => originalName))
  // What may pass is tried twice.
  expect(asked.filter((path) => path === pathOf(gone))).toHaveLength(1)
  expect(asked.filter((path) => path === pathOf(broken))).toHaveLength(2)
})

test('When a file stalls, then it is given up, and the others are saved', async () => {
  const uploads = uploadsWith(3)
  const [, stalled] = uploads
  if (!stalled) throw new Error('no uploads')
  faults.set(pathOf(stalled), 'hang')
  const { zips, failed } = await download(uploads, { stallLimitMs: 100 })
  expect(failed).toEqual([stalled])
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(2)
})

test('When the links have expired, then the list is fetched anew once, and all files come', async () => {
  const expired = uploadsWith(9)
  for (const upload of expired) faults.set(pathOf(upload), 403)
  let lists = 0
  const { zips, failed } = await download(expired, {
    listAgain: async () => {
      lists += 1
      await sleep(20)
      return uploadsWith(9, '?fresh')
    },
  })
  expect(failed).toEqual([])
  expect(lists).toBe(1)
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(9)
})

test('When files are refused for good, then the list is not fetched for each of them', async () => {
  const uploads = uploadsWith(8)
  for (const upload of uploads) faults.set(pathOf(upload), 403)
  let lists = 0
  const { zips, failed } = await download(uploads, {
    listAgain: () => {
      lists += 1
      return Promise.resolve(uploads)
    },
  })
  expect(failed).toHaveLength(8)
  expect(lists).toBe(1)
  expect(zips).toEqual([])
})

test('When the next batch is packed, then the last one has given its memory back', async () => {
  const { keptWhilePacking } = await download(uploadsWith(30))
  expect(keptWhilePacking).toEqual([0, 0, 0])
})

test('When there is no room for a batch, then its files are named, the others are saved, and that is told', async () => {
  const uploads = uploadsWith(12)
  const { zips, failed, tooMuch } = await download(uploads, { room: 5 })
  expect(tooMuch).toBe(true)
  expect(failed).toEqual(uploads.slice(0, 10))
  expect(zips.map(({ name }) => name)).toEqual(['Event_party_Batch2.zip'])
})

test('When the files of a batch are too large for one zip, then there are more zips of fewer files', async () => {
  const videos = uploadsWith(19).map((upload) => ({ ...upload, size: 500_000_000 }))
  const { zips, saved } = await download(videos)
  expect(zips.map(({ files }) => Object.keys(files).length)).toEqual([8, 8, 3])
  expect(saved).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('When there is no room for a file, then it is named, the others are saved, and that is told', async () => {
  const [tooLarge, ...others] = uploadsWith(3)
  const { zips, failed, tooMuch } = await download([...others, ...(tooLarge ? [tooLarge] : [])], { tooLarge })
  expect(tooMuch).toBe(true)
  expect(failed).toEqual([tooLarge])
  expect(Object.keys(zips[0]?.files ?? {})).toHaveLength(2)
})

test('When a second try numbers its batches on, then its zips have names of their own', async () => {
  const { zips, saved } = await download(uploadsWith(3), { batchSize: 2, firstNumber: 4 })
  expect(zips.map(({ name }) => name)).toEqual(['Event_party_Batch4.zip', 'Event_party_Batch5.zip'])
  expect(saved).toEqual([
    [4, 5],
    [5, 5],
  ])
})

test('When one leaves in the middle, then it ends at once, and nothing more is saved', async () => {
  const leaving = new AbortController()
  const downloading = download(uploadsWith(20), {
    signal: leaving.signal,
    onProgress: ({ number }) => {
      if (number === 2) leaving.abort()
    },
  })
  await expect(downloading).rejects.toThrow('aborted')
  expect(asked.length).toBeLessThanOrEqual(14)
})
