import { createHash, randomBytes } from 'node:crypto'
import type { ContainerClient, ContainerListBlobFlatSegmentResponse, RestError } from '@azure/storage-blob'
import { beforeAll, expect, test } from '@jest/globals'
import type { LinkOptions, LinkRequest, LinkResponse } from '../src/memory/blob-links.ts'

/** A container, and how its links are signed and used. */
export interface BlobStorage {
  container: ContainerClient
  now: () => Date
  /** The query of a link. */
  sign: (blob: { containerName: string; blobName: string }, options: LinkOptions) => string
  send: (url: string, request: LinkRequest) => Promise<Pick<LinkResponse, 'status' | 'headers' | 'body'>>
}

const bytesOf = (text: string): Buffer => Buffer.from(text)
const md5Of = (text: string): Buffer => createHash('md5').update(text).digest()
const blockId = (index: number): string => bytesOf(String(index).padStart(6, '0')).toString('base64')
const newName = (): string => `${randomBytes(8).toString('hex')}/original`

/** The status and code with which a call fails. */
const failureOf = (call: Promise<unknown>): Promise<[number | undefined, string | undefined]> =>
  call.then(
    () => [undefined, 'it did not fail'],
    (error: unknown) => [(error as RestError).statusCode, (error as RestError).code],
  )

const BLOCK_BLOB = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' }
const INFINITE_LEASE = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' }

/** Tests that blob storage behaves as the services rely on. `open` is called once, before the tests. */
export const testBlobStorage = (open: () => BlobStorage | Promise<BlobStorage>): void => {
  let storage: BlobStorage

  beforeAll(async () => {
    storage = await open()
    await storage.container.createIfNotExists()
  })

  const blobAt = (name: string) => storage.container.getBlockBlobClient(name)
  const newBlob = async (text: string) => {
    const blob = blobAt(newName())
    await blob.upload(text, text.length)
    return blob
  }
  const newStaged = async (...texts: string[]) => {
    const blob = blobAt(newName())
    for (const [index, text] of texts.entries()) await blob.stageBlock(blockId(index), text, text.length)
    return blob
  }
  const textAt = async (name: string): Promise<string> => (await blobAt(name).downloadToBuffer()).toString()
  const etagAt = async (name: string) => (await blobAt(name).getProperties()).etag
  const namesOf = async (prefix: string, includeUncommitedBlobs = true): Promise<string[]> => {
    const names: string[] = []
    for await (const { name } of storage.container.listBlobsFlat({ prefix, includeUncommitedBlobs }))
      names.push(name)
    return names
  }
  const blocksOf = async (name: string) => {
    const { committedBlocks = [], uncommittedBlocks = [] } = await blobAt(name).getBlockList('all')
    const describe = (blocks: typeof committedBlocks) => blocks.map((block) => [block.name, block.size])
    return { committed: describe(committedBlocks), uncommitted: describe(uncommittedBlocks).toSorted() }
  }

  const linkTo = (
    blobName: string,
    permissions: LinkOptions['permissions'],
    {
      startsIn = 0,
      life = 60_000,
      ...headers
    }: { startsIn?: number; life?: number } & Partial<LinkOptions> = {},
  ): string => {
    const time = storage.now().getTime()
    const times = { startsAt: new Date(time + startsIn), expiresAt: new Date(time + startsIn + life) }
    const { containerName } = storage.container
    const query = storage.sign({ containerName, blobName }, { permissions, ...times, ...headers })
    return `${blobAt(blobName).url}?${query}`
  }
  const send = async (link: string, request: Partial<LinkRequest> = {}): Promise<number> => {
    const { status } = await storage.send(link, { method: 'PUT', ...request })
    return status
  }
  const put = (link: string, text: string, headers: Record<string, string> = {}): Promise<number> =>
    send(link, { headers: { ...BLOCK_BLOB, ...headers }, body: bytesOf(text) })
  const putBlock = (link: string, index: number, text: string, headers = {}): Promise<number> =>
    send(link, { query: { comp: 'block', blockid: blockId(index) }, headers, body: bytesOf(text) })

  // Blobs

  test('When a blob is written at once, then it has its bytes, type, MD5 and version, and a new version if it is written again', async () => {
    const blob = blobAt(newName())
    const { etag } = await blob.upload('hello', 5, { blobHTTPHeaders: { blobContentType: 'image/jpeg' } })
    const properties = await blob.getProperties()
    expect(properties).toMatchObject({
      etag,
      contentLength: 5,
      contentType: 'image/jpeg',
      leaseStatus: 'unlocked',
    })
    expect(Buffer.from(properties.contentMD5 ?? [])).toEqual(md5Of('hello'))
    expect(properties.copyStatus).toBeUndefined()
    expect(await textAt(blob.name)).toBe('hello')
    const again = await blob.upload('hello', 5)
    expect(again.etag).not.toBe(etag)
    expect((await blob.getProperties()).contentType).toBe('application/octet-stream')
    expect(await blocksOf(blob.name)).toEqual({ committed: [], uncommitted: [] })
  })

  test('When the memory of a written blob is used again, then the blob keeps its bytes', async () => {
    const memory = bytesOf('first')
    const blob = blobAt(newName())
    await blob.upload(memory, 5)
    memory.write('other')
    expect(await textAt(blob.name)).toBe('first')
  })

  test('When a blob does not exist, then calls fail with 404, and nothing is deleted', async () => {
    const blob = blobAt(newName())
    const notFound = [404, 'BlobNotFound']
    expect(await failureOf(blob.download(0))).toEqual(notFound)
    expect(await failureOf(blob.downloadToBuffer(Buffer.alloc(3), 0, 3))).toEqual(notFound)
    expect(await failureOf(blob.setHTTPHeaders({}))).toEqual(notFound)
    expect(await failureOf(blob.getBlockList('all'))).toEqual(notFound)
    expect(await failureOf(blob.delete())).toEqual(notFound)
    expect(await failureOf(blob.getBlobLeaseClient().breakLease(0))).toEqual(notFound)
    expect(await failureOf(blob.abortCopyFromURL('a'))).toEqual(notFound)
    // The answer to HEAD has no body.
    expect(await failureOf(blob.getProperties())).toEqual([404, undefined])
    expect((await blob.deleteIfExists()).succeeded).toBe(false)
  })

  test('When a range is read, then it has its bytes and the size of the blob', async () => {
    const blob = await newBlob('hello')
    const read = async (offset: number, count?: number) => {
      const { readableStreamBody, contentRange, contentLength, contentMD5, blobContentMD5, etag } =
        await blob.download(offset, count)
      const chunks: Buffer[] = []
      for await (const chunk of readableStreamBody ?? []) chunks.push(Buffer.from(chunk))
      expect(etag).toBe(await etagAt(blob.name))
      expect(Buffer.from(blobContentMD5 ?? [])).toEqual(md5Of('hello'))
      return [Buffer.concat(chunks).toString(), contentRange, contentLength, contentMD5 !== undefined]
    }
    expect(await read(0)).toEqual(['hello', undefined, 5, true])
    expect(await read(0, 2)).toEqual(['he', 'bytes 0-1/5', 2, false])
    expect(await read(1, 100)).toEqual(['ello', 'bytes 1-4/5', 4, false])
    expect(await failureOf(blob.download(9, 1))).toEqual([416, 'InvalidRange'])
    const buffer = Buffer.alloc(3)
    expect(await blob.downloadToBuffer(buffer, 1, 3)).toBe(buffer)
    expect(buffer.toString()).toBe('ell')
    await expect(blob.downloadToBuffer(Buffer.alloc(9), 1, 9)).rejects.toThrow('Stream drains')
  })

  test('When a range of an empty blob is read, then it fails, and all of it is nothing', async () => {
    const blob = await newBlob('')
    expect(await failureOf(blob.download(0, 10))).toEqual([416, 'InvalidRange'])
    expect(await textAt(blob.name)).toBe('')
    expect((await blob.getProperties()).contentLength).toBe(0)
  })

  test('When headers are set, then there is a new version without the others and without an MD5', async () => {
    const blob = blobAt(newName())
    const blobHTTPHeaders = { blobContentEncoding: 'gzip', blobCacheControl: 'private' }
    const { etag } = await blob.upload('hello', 5, { blobHTTPHeaders })
    const changed = await blob.setHTTPHeaders({ blobCacheControl: 'public' })
    const properties = await blob.getProperties()
    expect(properties).toMatchObject({ etag: changed.etag, cacheControl: 'public' })
    expect(properties.etag).not.toBe(etag)
    expect([properties.contentEncoding, properties.contentMD5]).toEqual([undefined, undefined])
  })

  test('When a condition is not met, then nothing changes', async () => {
    const blob = await newBlob('hello')
    const etag = await etagAt(blob.name)
    const exists = [409, 'BlobAlreadyExists']
    const notMet = [412, 'ConditionNotMet']
    const isNew = { conditions: { ifNoneMatch: '*' } }
    const isOther = { conditions: { ifMatch: '"0x0"' } }
    const source = linkTo(blob.name, 'r')
    expect(await failureOf(blob.upload('other', 5, isNew))).toEqual(exists)
    expect(await failureOf(blob.commitBlockList([], isNew))).toEqual(exists)
    expect(await failureOf(blob.syncCopyFromURL(source, isNew))).toEqual(exists)
    expect(await failureOf(blob.beginCopyFromURL(source, isNew))).toEqual(exists)
    expect(await failureOf(blob.upload('other', 5, isOther))).toEqual(notMet)
    expect(await failureOf(blob.setHTTPHeaders({}, isOther))).toEqual(notMet)
    expect(await failureOf(blob.delete(isOther))).toEqual(notMet)
    expect(await failureOf(blob.deleteIfExists(isOther))).toEqual(notMet)
    expect(await failureOf(blobAt(newName()).delete(isOther))).toEqual(notMet)
    expect(await failureOf(blob.download(0, undefined, isOther))).toEqual(notMet)
    expect([await textAt(blob.name), await etagAt(blob.name)]).toEqual(['hello', etag])
    await blob.delete({ conditions: { ifMatch: etag ?? '' } })
    expect(await namesOf(blob.name)).toEqual([])
    await blob.upload('again', 5, isNew)
    expect(await textAt(blob.name)).toBe('again')
  })

  test('When a blob has a snapshot, then it is deleted only with its snapshots', async () => {
    const blob = await newBlob('hello')
    const etag = await etagAt(blob.name)
    await blob.createSnapshot()
    expect(await etagAt(blob.name)).toBe(etag)
    expect(await failureOf(blob.delete())).toEqual([409, 'SnapshotsPresent'])
    await blob.upload('', 0)
    expect(await failureOf(blob.deleteIfExists())).toEqual([409, 'SnapshotsPresent'])
    expect(await blob.deleteIfExists({ deleteSnapshots: 'include' })).toMatchObject({ succeeded: true })
    expect(await namesOf(blob.name)).toEqual([])
  })

  // Blocks

  test('When blocks are staged, then they are listed, are no blob yet, and become one in the order of the list', async () => {
    const blob = await newStaged('aaa', 'replaced')
    await blob.stageBlock(blockId(1), 'bb', 2)
    expect(await blocksOf(blob.name)).toEqual({
      committed: [],
      uncommitted: [
        [blockId(0), 3],
        [blockId(1), 2],
      ],
    })
    expect(await namesOf(blob.name)).toEqual([blob.name])
    expect(await namesOf(blob.name, false)).toEqual([])
    expect(await failureOf(blob.download(0))).toEqual([404, 'BlobNotFound'])
    expect(await failureOf(blob.getProperties())).toEqual([404, undefined])
    expect(await failureOf(blob.stageBlock(bytesOf('1').toString('base64'), 'x', 1))).toEqual([
      400,
      'InvalidBlobOrBlock',
    ])

    await blob.stageBlock(blockId(2), 'left out', 8)
    await blob.commitBlockList([blockId(1), blockId(0)])
    expect(await textAt(blob.name)).toBe('bbaaa')
    expect((await blob.getProperties()).contentMD5).toBeUndefined()
    expect(await blocksOf(blob.name)).toEqual({
      committed: [
        [blockId(1), 2],
        [blockId(0), 3],
      ],
      uncommitted: [],
    })
  })

  test('When a block list is committed again, then it has the newest blocks, and staging alone changes nothing', async () => {
    const blob = await newStaged('aaa', 'bb')
    const list = [blockId(0), blockId(1)]
    await blob.commitBlockList(list)
    await blob.commitBlockList(list)
    expect(await textAt(blob.name)).toBe('aaabb')
    const etag = await etagAt(blob.name)
    await blob.stageBlock(blockId(1), 'cc', 2)
    expect([await textAt(blob.name), await etagAt(blob.name)]).toEqual(['aaabb', etag])
    await blob.commitBlockList(list)
    expect(await textAt(blob.name)).toBe('aaacc')
    expect(await etagAt(blob.name)).not.toBe(etag)
  })

  test('When a block of a list is missing or gone, then nothing is committed', async () => {
    const blob = await newStaged('aaa')
    const invalid = [400, 'InvalidBlockList']
    expect(await failureOf(blob.commitBlockList([blockId(0), blockId(1)]))).toEqual(invalid)
    expect(await namesOf(blob.name, false)).toEqual([])
    await blob.commitBlockList([blockId(0)])
    await blob.deleteIfExists()
    expect(await failureOf(blob.commitBlockList([blockId(0)]))).toEqual(invalid)
    expect(await failureOf(blobAt(newName()).commitBlockList([blockId(0)]))).toEqual(invalid)
  })

  test('When an empty blob takes the place of uncommitted blocks, then it can be deleted, and nothing is left', async () => {
    const blob = await newStaged('aaa')
    await blob.upload('', 0)
    expect(await textAt(blob.name)).toBe('')
    await blob.deleteIfExists({ deleteSnapshots: 'include' })
    expect(await namesOf(blob.name)).toEqual([])
    expect(await failureOf(blob.getBlockList('all'))).toEqual([404, 'BlobNotFound'])
  })

  // Leases

  test('When a container is leased, then another lease is refused, and a write that names a lease needs the one that is held', async () => {
    const { container } = storage
    const [held, other] = [container.getBlobLeaseClient(), container.getBlobLeaseClient()]
    await held.acquireLease(15)
    expect(await failureOf(other.acquireLease(15))).toEqual([409, 'LeaseAlreadyPresent'])
    const before = (await container.getProperties()).metadata
    const write = (leaseId: string) =>
      container.setMetadata({ ...before, a: 'b' }, { conditions: { leaseId } })
    expect((await failureOf(write(other.leaseId)))[0]).toBe(412)
    await write(held.leaseId)
    await held.releaseLease()
    expect((await failureOf(write(held.leaseId)))[0]).toBe(412)
    expect((await container.getProperties()).metadata).toEqual({ ...before, a: 'b' })
    await container.setMetadata(before)
  })

  test('When a blob is leased, then it can be read, and is neither changed nor deleted until the lease is broken', async () => {
    const blob = await newBlob('hello')
    const lease = blob.getBlobLeaseClient()
    expect(await failureOf(lease.breakLease(0))).toEqual([409, 'LeaseNotPresentWithLeaseOperation'])
    await lease.acquireLease(-1)
    expect(await failureOf(blob.getBlobLeaseClient().acquireLease(-1))).toEqual([409, 'LeaseAlreadyPresent'])
    const refused = [412, 'LeaseIdMissing']
    const source = linkTo((await newBlob('other')).name, 'r')
    expect(await failureOf(blob.upload('', 0))).toEqual(refused)
    expect(await failureOf(blob.stageBlock(blockId(0), 'a', 1))).toEqual(refused)
    expect(await failureOf(blob.commitBlockList([]))).toEqual(refused)
    expect(await failureOf(blob.setHTTPHeaders({}))).toEqual(refused)
    expect(await failureOf(blob.syncCopyFromURL(source))).toEqual(refused)
    expect(await failureOf(blob.beginCopyFromURL(source))).toEqual(refused)
    expect(await failureOf(blob.delete({ deleteSnapshots: 'include' }))).toEqual(refused)
    expect(await failureOf(blob.deleteIfExists({ deleteSnapshots: 'include' }))).toEqual(refused)
    // Conditions come first.
    expect(await failureOf(blob.upload('', 0, { conditions: { ifNoneMatch: '*' } }))).toEqual([
      409,
      'BlobAlreadyExists',
    ])
    expect(await failureOf(blob.delete({ conditions: { ifMatch: '"0x0"' } }))).toEqual([
      412,
      'ConditionNotMet',
    ])
    expect([await textAt(blob.name), (await blob.getProperties()).leaseStatus]).toEqual(['hello', 'locked'])

    await lease.breakLease(0)
    await lease.breakLease(0)
    expect((await blob.getProperties()).leaseStatus).toBe('unlocked')
    await blob.upload('', 0)
    expect(await failureOf(lease.breakLease(0))).toEqual([409, 'LeaseNotPresentWithLeaseOperation'])
    await blob.delete()
    expect(await namesOf(blob.name)).toEqual([])
  })

  // Copies

  test('When a blob is copied at once, then the copy has its bytes, headers and blocks, and says so until it is written', async () => {
    const source = await newStaged('aaa', 'bb')
    const blobHTTPHeaders = { blobContentType: 'video/mp4', blobCacheControl: 'private' }
    await source.commitBlockList([blockId(0), blockId(1)], { blobHTTPHeaders })
    const copy = blobAt(newName())
    await copy.syncCopyFromURL(linkTo(source.name, 'r'), { conditions: { ifNoneMatch: '*' } })
    expect(await copy.getProperties()).toMatchObject({
      contentType: 'video/mp4',
      cacheControl: 'private',
      copyStatus: 'success',
    })
    expect(await blocksOf(copy.name)).toEqual(await blocksOf(source.name))
    await source.delete()
    expect(await textAt(copy.name)).toBe('aaabb')
    await copy.upload('new', 3)
    expect((await copy.getProperties()).copyStatus).toBeUndefined()
  })

  test('When a blob is copied in the background, then it ends with the same, and cannot be aborted any more', async () => {
    const source = await newBlob('hello')
    const copy = blobAt(newName())
    await copy.beginCopyFromURL(linkTo(source.name, 'r'), { conditions: { ifNoneMatch: '*' } })
    const { copyStatus, copyId = '', contentMD5 } = await copy.getProperties()
    expect([copyStatus, await textAt(copy.name)]).toEqual(['success', 'hello'])
    expect(Buffer.from(contentMD5 ?? [])).toEqual(md5Of('hello'))
    expect(await failureOf(copy.abortCopyFromURL(copyId))).toEqual([409, 'NoPendingCopyOperation'])
    expect(await failureOf(copy.abortCopyFromURL('other'))).toEqual([409, 'CopyIdMismatch'])
    await copy.delete()
  })

  test('When the source of a copy is not there or not allowed, then nothing is copied', async () => {
    const source = await newBlob('hello')
    const staged = await newStaged('aaa')
    const copy = blobAt(newName())
    const statusOf = async (call: Promise<unknown>) => (await failureOf(call))[0]
    expect(await statusOf(copy.syncCopyFromURL(linkTo(newName(), 'r')))).toBe(404)
    expect(await statusOf(copy.syncCopyFromURL(linkTo(staged.name, 'r')))).toBe(404)
    expect(await statusOf(copy.beginCopyFromURL(linkTo(newName(), 'r')))).toBe(404)
    expect(await failureOf(copy.beginCopyFromURL(linkTo(source.name, 'r', { life: -1_000 })))).toEqual([
      403,
      'CannotVerifyCopySource',
    ])
    expect(await namesOf(copy.name)).toEqual([])
  })

  // Lists

  test('When blobs are listed, then they are in order, of the prefix, page by page, with uncommitted ones if asked for', async () => {
    const folder = newName()
    const names = ['b', 'a', 'a/2', 'B', 'a-1', 'ä'].map((name) => `${folder}/${name}`)
    for (const name of names) await blobAt(name).upload('', 0)
    await blobAt(`${folder}0`).upload('', 0)
    await blobAt(`${folder}/c`).stageBlock(blockId(0), 'a', 1)
    const inOrder = ['B', 'a', 'a-1', 'a/2', 'b', 'c', 'ä'].map((name) => `${folder}/${name}`)
    expect(await namesOf(`${folder}/`)).toEqual(inOrder)
    expect(await namesOf(`${folder}/`, false)).toEqual(inOrder.filter((name) => !name.endsWith('/c')))

    const listed: string[][] = []
    let continuationToken: string | undefined
    do {
      const pages = storage.container
        .listBlobsFlat({ prefix: `${folder}/`, includeUncommitedBlobs: true })
        .byPage({ maxPageSize: 3, ...(continuationToken && { continuationToken }) })
      const { value } = (await pages.next()) as IteratorYieldResult<ContainerListBlobFlatSegmentResponse>
      listed.push(value.segment.blobItems.map(({ name }) => name))
      continuationToken = value.continuationToken
      // What has been listed may be removed before the next page.
      for (const name of listed.flat()) await blobAt(name).deleteIfExists()
    } while (continuationToken)
    expect(listed).toEqual([inOrder.slice(0, 3), inOrder.slice(3, 6), inOrder.slice(6)])
    expect(await namesOf(newName())).toEqual([])
  })

  // Links

  test('When a link creates, then it does so once, and changes nothing after that', async () => {
    const name = newName()
    const link = linkTo(name, 'c')
    expect(await putBlock(link, 0, 'a')).toBe(403)
    expect(await put(link, 'mine')).toBe(201)
    expect((await blobAt(name).getProperties()).contentType).toBe('application/octet-stream')
    const etag = await etagAt(name)
    expect(await put(link, 'other')).toBe(403)
    expect(await put(link, 'other', { 'if-none-match': '*' })).toBe(403)
    expect(await putBlock(link, 0, 'a')).toBe(403)
    const list = bytesOf('<BlockList></BlockList>')
    expect(await send(link, { query: { comp: 'blocklist' }, body: list })).toBe(403)
    for (const comp of ['metadata', 'properties', 'tags'])
      expect(await send(link, { query: { comp } })).toBe(403)
    expect(await send(link, { query: { comp: 'lease' }, headers: INFINITE_LEASE })).toBe(403)
    const source = linkTo((await newBlob('other')).name, 'r')
    expect(await send(link, { headers: { 'x-ms-copy-source': source } })).toBe(403)
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) expect(await send(link, { method })).toBe(403)
    expect([await textAt(name), await etagAt(name)]).toEqual(['mine', etag])

    // Its holder can keep the bytes from a deletion without snapshots, which changes no version.
    expect(await send(link, { query: { comp: 'snapshot' } })).toBe(201)
    expect(await etagAt(name)).toBe(etag)
    expect(await failureOf(blobAt(name).delete())).toEqual([409, 'SnapshotsPresent'])
    await blobAt(name).delete({ deleteSnapshots: 'include' })
    expect(await put(link, 'again')).toBe(201)
  })

  test('When a link creates where blocks are staged, or from another blob, then there is a blob', async () => {
    const staged = await newStaged('aaa')
    expect(await put(linkTo(staged.name, 'c'), 'mine')).toBe(201)
    expect(await textAt(staged.name)).toBe('mine')
    for (const isAtOnce of [true, false]) {
      const name = newName()
      const headers = {
        'x-ms-copy-source': linkTo(staged.name, 'r'),
        ...(isAtOnce && { 'x-ms-requires-sync': 'true' }),
      }
      expect(await send(linkTo(name, 'c'), { headers })).toBe(202)
      expect(await textAt(name)).toBe('mine')
    }
    const other = newName()
    expect(await send(linkTo(other, 'c'), { query: { comp: 'snapshot' } })).toBe(404)
  })

  test('When a link creates with headers, then the blob has them; bytes that do not match their MD5 are refused', async () => {
    const name = newName()
    const md5 = md5Of('other').toString('base64')
    expect(await put(linkTo(name, 'c'), 'mine', { 'content-md5': md5 })).toBe(400)
    expect(await put(linkTo(name, 'c'), 'mine', { 'x-ms-blob-content-md5': md5 })).toBe(400)
    expect(await send(linkTo(name, 'c'), { body: bytesOf('mine') })).toBe(400)
    expect(await namesOf(name)).toEqual([])
    const headers = {
      'x-ms-blob-content-type': 'text/html',
      'x-ms-blob-content-encoding': 'gzip',
      'x-ms-blob-content-language': 'de',
      'x-ms-blob-content-disposition': 'inline',
      'x-ms-blob-cache-control': 'public',
    }
    expect(await put(linkTo(name, 'c'), 'mine', headers)).toBe(201)
    expect(await blobAt(name).getProperties()).toMatchObject({
      contentType: 'text/html',
      contentEncoding: 'gzip',
      contentLanguage: 'de',
      contentDisposition: 'inline',
      cacheControl: 'public',
    })
  })

  test('When a link writes, then it stages, commits, replaces, and changes the version by all of these but staging', async () => {
    const name = newName()
    const link = linkTo(name, 'w')
    const commit = (ids: string) => {
      const body = bytesOf(`<?xml version="1.0" encoding="utf-8"?><BlockList>${ids}</BlockList>`)
      return send(link, { query: { comp: 'blocklist' }, body })
    }
    expect(await putBlock(link, 0, 'aaa', { 'content-md5': md5Of('b').toString('base64') })).toBe(400)
    expect(await putBlock(link, 0, 'aaa')).toBe(201)
    expect(await putBlock(link, 1, 'bb')).toBe(201)
    expect(await send(link, { query: { comp: 'snapshot' } })).toBe(404)
    expect(await send(link, { query: { comp: 'metadata' } })).toBe(404)
    expect((await blocksOf(name)).uncommitted).toHaveLength(2)
    expect(await commit(`<Latest>${blockId(7)}</Latest>`)).toBe(400)
    expect(await commit(`<Latest>${blockId(0)}</Latest><Uncommitted>${blockId(1)}</Uncommitted>`)).toBe(201)
    expect(await textAt(name)).toBe('aaabb')

    const etags = [await etagAt(name)]
    const nextStatus = async (request: Promise<number>): Promise<number> => {
      const status = await request
      etags.push(await etagAt(name))
      return status
    }
    expect(await putBlock(link, 0, 'zzz')).toBe(201)
    expect(await etagAt(name)).toBe(etags[0])
    expect(await nextStatus(put(link, 'over'))).toBe(201)
    expect(await nextStatus(send(link, { query: { comp: 'metadata' } }))).toBe(200)
    expect(await nextStatus(send(link, { query: { comp: 'properties' } }))).toBe(200)
    const source = linkTo((await newBlob('other')).name, 'r')
    expect(await nextStatus(send(link, { headers: { 'x-ms-copy-source': source } }))).toBe(202)
    expect(new Set(etags).size).toBe(5)
    expect(await textAt(name)).toBe('other')
    expect(await send(link, { query: { comp: 'tags' } })).toBe(403)
    for (const method of ['GET', 'DELETE'] as const) expect(await send(link, { method })).toBe(403)
  })

  test('When a link leases a blob, then the services cannot change it until they break the lease', async () => {
    const blob = await newBlob('hello')
    const link = linkTo(blob.name, 'w')
    const lease = { query: { comp: 'lease' }, headers: INFINITE_LEASE }
    expect(await send(link, lease)).toBe(201)
    expect(await send(link, lease)).toBe(409)
    expect(await put(link, 'other')).toBe(412)
    expect(await putBlock(link, 0, 'a')).toBe(412)
    expect(await failureOf(blob.upload('', 0))).toEqual([412, 'LeaseIdMissing'])
    await blob.getBlobLeaseClient().breakLease(0)
    expect(await put(link, 'other')).toBe(201)
    expect(await send(link, lease)).toBe(201)
    const broken = { 'x-ms-lease-action': 'break', 'x-ms-lease-break-period': '0' }
    expect(await send(link, { ...lease, headers: broken })).toBe(202)
    await blob.delete()
  })

  test('When a link reads, then it has the bytes, a range of them, and the headers of the link', async () => {
    const blob = await newBlob('hello')
    const headers = { contentType: 'image/jpeg', contentDisposition: 'attachment' }
    const link = linkTo(blob.name, 'r', headers)
    const whole = await storage.send(link, { method: 'GET' })
    expect([whole.status, whole.body?.toString()]).toEqual([200, 'hello'])
    expect(whole.headers).toMatchObject({
      etag: await etagAt(blob.name),
      'content-length': '5',
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment',
    })
    const range = await storage.send(link, { method: 'GET', headers: { range: 'bytes=1-2' } })
    expect([range.status, range.body?.toString()]).toEqual([206, 'el'])
    expect(range.headers?.['content-range']).toBe('bytes 1-2/5')
    expect(await send(link, { method: 'GET', headers: { range: 'bytes=9-' } })).toBe(416)
    expect(await send(linkTo(newName(), 'r'), { method: 'GET' })).toBe(404)
    expect(await put(link, 'other')).toBe(403)
  })

  test('When a link has expired, has not started, or is of another blob, then it is refused', async () => {
    const name = newName()
    expect(await put(linkTo(name, 'c', { life: -1_000 }), 'a')).toBe(403)
    expect(await put(linkTo(name, 'c', { startsIn: 3_600_000 }), 'a')).toBe(403)
    expect(await put(linkTo(newName(), 'c').replace(/[^/]+\/original\?/, `${name}?`), 'a')).toBe(403)
    expect(await put(blobAt(name).url, 'a')).toBe(403)
    expect(await namesOf(name)).toEqual([])
    // Clocks may be slow by 15 minutes.
    expect(await put(linkTo(name, 'c', { startsIn: 60_000 }), 'a')).toBe(201)
  })

  // Containers

  test('When a container is created again, then it keeps its metadata, until that is set', async () => {
    const { container } = storage
    expect((await container.createIfNotExists({ metadata: { owner: 'other' } })).succeeded).toBe(false)
    expect((await container.getProperties()).metadata).toEqual({})
    await container.setMetadata({ owner: 'me' })
    expect((await container.getProperties()).metadata).toEqual({ owner: 'me' })
  })
}
