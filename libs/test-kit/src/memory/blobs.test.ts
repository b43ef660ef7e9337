import type { BlockBlobClient, RestError } from '@azure/storage-blob'
import { expect, test } from '@jest/globals'
import { testBlobStorage } from '../../test/blobs-contract.ts'
import { createMemoryBlobStorage } from './blobs.ts'

const startedAt = Date.parse('2026-06-12T20:00:00Z')
const COPY_MS = 60_000
const DAY_MS = 86_400_000

testBlobStorage(() => {
  const now = () => new Date(startedAt)
  const storage = createMemoryBlobStorage({ now })
  return {
    container: storage.connect().getContainerClient('photos'),
    now,
    sign: storage.linkSigner.sign,
    send: storage.send,
  }
})

// What Azurite cannot show: its copies have ended at once, and it never fails.

const openStorage = async () => {
  let time = startedAt
  const storage = createMemoryBlobStorage({ now: () => new Date(time), copyMs: COPY_MS })
  const container = storage.connect().getContainerClient('photos')
  await container.createIfNotExists()
  const linkTo = (blobName: string, permissions: 'r' | 'c' | 'w'): string => {
    const times = { startsAt: new Date(time), expiresAt: new Date(time + 30 * DAY_MS) }
    const query = storage.linkSigner.sign({ containerName: 'photos', blobName }, { permissions, ...times })
    return `${container.getBlobClient(blobName).url}?${query}`
  }
  const source = container.getBlockBlobClient('source')
  await source.upload('hello', 5)
  const copy = container.getBlockBlobClient('copy')
  return {
    ...storage,
    copy,
    linkTo,
    startCopy: () => copy.beginCopyFromURL(linkTo('source', 'r')),
    blobOf: (turn: () => Promise<void>) =>
      storage.connect(turn).getContainerClient('photos').getBlockBlobClient('copy'),
    pass: (ms: number) => {
      time += ms
    },
  }
}

const codeOf = (call: Promise<unknown>) => call.catch((error: unknown) => (error as RestError).code)
const stateOf = async (blob: BlockBlobClient) => {
  const { copyStatus } = await blob.getProperties()
  return [copyStatus, (await blob.downloadToBuffer()).toString()]
}

test('When a copy is pending, then the blob is empty, and neither changed nor deleted until the copy is aborted', async () => {
  const { copy, startCopy } = await openStorage()
  await startCopy()
  expect(await stateOf(copy)).toEqual(['pending', ''])
  expect(await codeOf(copy.upload('', 0))).toBe('PendingCopyOperation')
  expect(await codeOf(copy.stageBlock('MDAw', 'a', 1))).toBe('PendingCopyOperation')
  expect(await codeOf(copy.setHTTPHeaders({}))).toBe('PendingCopyOperation')
  expect(await codeOf(startCopy())).toBe('PendingCopyOperation')
  expect(await codeOf(copy.deleteIfExists({ deleteSnapshots: 'include' }))).toBe('PendingCopyOperation')
  const { copyId = '', etag } = await copy.getProperties()
  expect(await codeOf(copy.abortCopyFromURL('other'))).toBe('CopyIdMismatch')
  await copy.abortCopyFromURL(copyId)
  expect((await copy.getProperties()).etag).not.toBe(etag)
  expect(await stateOf(copy)).toEqual(['aborted', ''])
  await copy.delete()
})

test('When time has passed, or the test ends it, then a copy has succeeded', async () => {
  const { copy, startCopy, pass, endCopies } = await openStorage()
  await startCopy()
  pass(COPY_MS - 1)
  expect(await stateOf(copy)).toEqual(['pending', ''])
  pass(1)
  expect(await stateOf(copy)).toEqual(['success', 'hello'])
  await startCopy()
  endCopies()
  expect(await stateOf(copy)).toEqual(['success', 'hello'])
})

test('When a guest has something copied from an address that does not answer, then that takes two weeks and fails', async () => {
  const { copy, linkTo, send, pass } = await openStorage()
  const headers = { 'x-ms-copy-source': 'https://other.example/endless' }
  expect(await send(linkTo('copy', 'c'), { method: 'PUT', headers })).toEqual({ status: 202 })
  pass(14 * DAY_MS - 1)
  expect(await stateOf(copy)).toEqual(['pending', ''])
  pass(1)
  expect(await stateOf(copy)).toEqual(['failed', ''])
})

test('When a call fails or ends on its way there, then it has no effect; on its way back, it has', async () => {
  const { copy, blobOf } = await openStorage()
  const outage = new Error('no connection')
  await expect(blobOf(() => Promise.reject(outage)).upload('lost', 4)).rejects.toBe(outage)
  void blobOf(() => new Promise(() => undefined)).upload('lost', 4)
  expect(await codeOf(copy.getBlockList('all'))).toBe('BlobNotFound')

  let turns = 0
  const failing = blobOf(() => {
    turns += 1
    return turns === 1 ? Promise.resolve() : Promise.reject(outage)
  })
  await expect(failing.upload('kept', 4)).rejects.toBe(outage)
  expect((await copy.downloadToBuffer()).toString()).toBe('kept')
})

test('When the same bytes are sent by many links, then they are kept once', async () => {
  const { linkTo, send } = await openStorage()
  const body = Buffer.alloc(4_000_000)
  for (const name of ['a', 'b']) {
    await send(linkTo(name, 'c'), { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body })
    expect((await send(linkTo(name, 'r'), { method: 'GET' })).body).toBe(body)
  }
})
