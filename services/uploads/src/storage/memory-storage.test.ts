import { createHash } from 'node:crypto'
import { newUploadId } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import { createMemoryBlobStorage } from '@confetti/test-kit/memory-blobs'
import { expect, test } from '@jest/globals'
import { BLOCK_BYTES, blocksOf, type Ticket } from '../sending/tickets.ts'
import { createBlobAccount } from './blob-account.ts'
import { createBlobStore } from './blob-store.ts'
import { createDirectBlobs } from './direct-blobs.ts'

const EVENT = 'a'.repeat(24)
const now = new Date('2026-06-12T20:00:00Z')
const expiresAt = new Date(now.getTime() + 3_600_000)
const block = Buffer.alloc(BLOCK_BYTES, 'confetti')
const INFINITE_LEASE = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' }

const ticketFor = (size: number): Ticket => ({
  uploadId: newUploadId(EVENT, now),
  eventId: EVENT,
  photoCredit: 'Table 4',
  originalName: 'photo.jpg',
  size,
  issuedAt: now,
  limitSubject: { kind: 'guest', id: 'a'.repeat(32) },
})

/** The stores of the service on a storage account in memory. Copies of more than `maxSyncCopyBytes` are in the background. */
const openBlobs = async ({
  maxSyncCopyBytes,
  copyMs = 0,
  turn,
}: { maxSyncCopyBytes?: number; copyMs?: number; turn?: (label: string) => Promise<void> } = {}) => {
  const storage = createMemoryBlobStorage({ now: () => now, copyMs })
  const warnings: unknown[] = []
  let deadlines = 0
  const account = createBlobAccount({
    service: storage.connect(turn),
    containerName: 'photos',
    publicUrl: undefined,
    linkSigner: storage.linkSigner,
    newCallDeadline: () => {
      deadlines += 1
      return { abortSignal: AbortSignal.timeout(60_000) }
    },
  })
  await account.container.createIfNotExists()
  const blobs = {
    ...createBlobStore(account, { warn: (warning: unknown) => warnings.push(warning) } as never),
    ...createDirectBlobs(account, () => now, maxSyncCopyBytes),
  }

  const sendBlocks = async (ticket: Ticket) => {
    const transfer = blobs.createTransfer(ticket, expiresAt)
    if (transfer.kind !== 'blocks') throw new Error('The file is sent by one request')
    for (const [index, { id, size }] of (blocksOf(ticket) ?? []).entries()) {
      const body = size === BLOCK_BYTES ? block : block.subarray(0, size)
      const query = { comp: 'block', blockid: id }
      const { status } = await storage.send(transfer.url, { method: 'PUT', query, body })
      expect([index, status]).toEqual([index, 201])
    }
    return transfer.url
  }
  const namesOf = async (prefix: string): Promise<string[]> => {
    const names: string[] = []
    for await (const { name } of account.container.listBlobsFlat({ prefix, includeUncommitedBlobs: true }))
      names.push(name)
    return names
  }
  const countDeadlines = () => deadlines
  return { ...storage, blobs, warnings, sendBlocks, namesOf, countDeadlines, container: account.container }
}

const idsOf = async (ids: AsyncIterable<string>): Promise<string[]> => {
  const found: string[] = []
  for await (const id of ids) found.push(id)
  return found
}

const size = 2 * BLOCK_BYTES + 5
const sha256 = createHash('sha256').update(block).update(block).update(block.subarray(0, 5)).digest('hex')

test('When a file is sent by one request, then its original can be read and hashed, and nobody changes it by the link', async () => {
  const { blobs, send } = await openBlobs()
  const ticket = ticketFor(5)
  const transfer = blobs.createTransfer(ticket, expiresAt)
  const body = Buffer.from('photo')
  const put = () => send(transfer.url, { method: 'PUT', headers: transfer.headers, body })
  expect(await blobs.readOriginal(ticket.uploadId)).toBeUndefined()
  expect((await put()).status).toBe(201)
  expect((await put()).status).toBe(403)
  expect(await blobs.readOriginal(ticket.uploadId)).toEqual({
    size: 5,
    head: body,
    contentMd5: createHash('md5').update(body).digest('base64'),
    etag: expect.any(String),
  })
  const { etag = '' } = (await blobs.readOriginal(ticket.uploadId)) ?? {}
  expect(await blobs.hashOriginal(ticket.uploadId, etag)).toBe(
    createHash('sha256').update(body).digest('hex'),
  )

  const { url } = blobs.createReadLinks(
    { _id: ticket.uploadId, filename: 'a/photo.jpg', contentType: 'image/jpeg', hasRendition: false },
    now,
  )
  const { headers, body: read } = await send(url, { method: 'GET' })
  expect([read, headers?.['content-type'], headers?.['content-disposition']]).toEqual([
    body,
    'image/jpeg',
    'attachment; filename=photo.jpg',
  ])
})

test.each([
  ['at once', {}],
  ['in the background', { maxSyncCopyBytes: 1 }],
])('When a file is sent in blocks and copied %s, then it is assembled once and read', async (_, options) => {
  const { blobs, sendBlocks, namesOf } = await openBlobs(options)
  const ticket = ticketFor(size)
  const { uploadId } = ticket
  const blocks = blocksOf(ticket) ?? []
  expect(await blobs.assemble(uploadId, blocks)).toBe(true)
  await sendBlocks(ticket)
  expect(await blobs.listReceived(uploadId)).toEqual(blocks)
  expect(await idsOf(blobs.idsWithStaged(''))).toEqual([uploadId])
  expect(await blobs.assemble(uploadId, [...blocks, { id: 'b3RoZXI=', size: 1 }])).toBe(false)
  expect(await blobs.assemble(uploadId, blocks)).toBe(true)
  expect(await blobs.assemble(uploadId, blocks)).toBe(true)
  await blobs.removeCommittedBlocks(uploadId)
  expect(await namesOf('')).toEqual([blobNames.original(uploadId)])
  const { etag = '', ...original } = (await blobs.readOriginal(uploadId)) ?? {}
  expect(original).toMatchObject({ size, contentMd5: undefined })
  expect(await blobs.hashOriginal(uploadId, etag)).toBe(sha256)
  const range = { start: BLOCK_BYTES - 2, end: BLOCK_BYTES + 8 }
  const { signal } = new AbortController()
  expect(await blobs.readRange(uploadId, range, signal)).toEqual(
    Buffer.concat([block.subarray(-2), block.subarray(0, 8)]),
  )
})

/** Originals to be hashed, whose downloads begin when `release` is called. */
const openHashes = async () => {
  const downloads: (() => void)[] = []
  const { blobs, container, countDeadlines } = await openBlobs({
    turn: async (label) => {
      if (/^blob download \S+$/.test(label)) await new Promise<void>((resolve) => downloads.push(resolve))
    },
  })
  const turns = () => new Promise((resolve) => setImmediate(resolve))
  return {
    /** Stores an original that is unlike all others. Returns how to ask for its hash. */
    store: async () => {
      const uploadId = newUploadId(EVENT, now)
      const blob = container.getBlockBlobClient(blobNames.original(uploadId))
      const { etag = '' } = await blob.upload(uploadId, uploadId.length)
      const expected = createHash('sha256').update(uploadId).digest('hex')
      return { expected, hash: () => blobs.hashOriginal(uploadId, etag) }
    },
    countDownloads: async () => {
      await turns()
      return downloads.length
    },
    countDeadlines,
    /** Lets the last download begin. */
    release: async () => {
      await turns()
      downloads.at(-1)?.()
      await turns()
    },
  }
}

test('When the hash of a file is asked for again, also while it is computed, then the file is read once', async () => {
  const { store, release, countDownloads } = await openHashes()
  const file = await store()
  const hashes = [file.hash(), file.hash()]
  await release()
  expect(await Promise.all([...hashes, file.hash()])).toEqual(Array(3).fill(file.expected))
  expect(await countDownloads()).toBe(1)
})

test('When many files are to be hashed, then one is read at a time, whose time begins with its turn, and more are refused at once', async () => {
  const { store, release, countDownloads, countDeadlines } = await openHashes()
  const files = await Promise.all(Array.from({ length: 20 }, store))
  const last = await store()
  const hashes = Promise.all(files.map(({ hash }) => hash()))
  await expect(last.hash()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 })
  for (let turn = 1; turn <= files.length; turn += 1) {
    expect([await countDownloads(), countDeadlines()]).toEqual([turn, turn])
    await release()
  }
  expect(await hashes).toEqual(files.map(({ expected }) => expected))
  const retried = last.hash()
  await release()
  expect(await retried).toBe(last.expected)
})

test('When a file is sent in a form, then its original has the bytes that were sent, whatever its buffer holds later', async () => {
  const { blobs } = await openBlobs()
  const uploadId = newUploadId(EVENT, now)
  const buffer = Buffer.alloc(4)
  const chunks = async function* () {
    yield await Promise.resolve(Buffer.from('confetti!'))
  }
  await blobs.writeOriginal(uploadId, chunks(), { contentType: 'image/jpeg', buffer })
  buffer.fill(0)
  expect(await blobs.readOriginal(uploadId)).toMatchObject({ size: 9, head: Buffer.from('confetti!') })
})

test('When a guest has leased the blob and made snapshots, then the blocks and the original are removed nevertheless', async () => {
  const { blobs, send, sendBlocks, namesOf, container, warnings } = await openBlobs()
  const ticket = ticketFor(size)
  const { uploadId } = ticket
  const link = await sendBlocks(ticket)
  await blobs.assemble(uploadId, blocksOf(ticket) ?? [])
  const request = (comp: string, headers = {}) => send(link, { method: 'PUT', query: { comp }, headers })
  expect((await request('snapshot')).status).toBe(201)
  expect((await request('lease', INFINITE_LEASE)).status).toBe(201)
  await container.getBlobClient(blobNames.original(uploadId)).getBlobLeaseClient().acquireLease(-1)
  expect(await blobs.removeStaged(uploadId)).toBe(true)
  expect(await blobs.removeAll(uploadId)).toBe(true)
  expect(await namesOf('')).toEqual([])
  expect(warnings).toEqual([])
})

test('When a guest has something copied that does not end, and leases the blob, then it is removed nevertheless', async () => {
  const { blobs, send, namesOf, container } = await openBlobs()
  const ticket = ticketFor(5)
  const { url } = blobs.createTransfer(ticket, expiresAt)
  const headers = { 'x-ms-copy-source': 'https://other.example/endless' }
  expect((await send(url, { method: 'PUT', headers })).status).toBe(202)
  await container.getBlobClient(blobNames.original(ticket.uploadId)).getBlobLeaseClient().acquireLease(-1)
  expect(await blobs.removeFiles(ticket.uploadId, ['original'])).toBe(true)
  expect(await namesOf('')).toEqual([])
})

test('When blocks were sent and never completed, then they are listed by their id, and removed', async () => {
  const { blobs, sendBlocks, namesOf } = await openBlobs()
  const tickets = [ticketFor(size), ticketFor(size)]
  for (const ticket of tickets) await sendBlocks(ticket)
  const ids = tickets.map(({ uploadId }) => uploadId).toSorted()
  expect(await idsOf(blobs.idsWithStaged(ids[0]?.slice(0, 8) ?? ''))).toEqual(ids)
  expect(await idsOf(blobs.idsWithBlobs(ids[0]?.slice(0, 8) ?? ''))).toEqual([])
  for (const id of ids) expect(await blobs.removeStaged(id)).toBe(true)
  expect(await namesOf('')).toEqual([])
})

test('When a rendition is missing, then it is not measured, and one that is there is', async () => {
  const { blobs, container } = await openBlobs()
  const { uploadId } = ticketFor(5)
  expect(await blobs.measureRendition(uploadId)).toBeUndefined()
  await container.getBlockBlobClient(blobNames.rendition(uploadId)).upload('video', 5)
  expect(await blobs.measureRendition(uploadId)).toMatchObject({ size: 5 })
})
