import { randomBytes } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import { blobNames, deleteEvent, MB, type Event } from '@confetti/contracts'
import {
  call,
  complete,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  newTicket,
  putFile,
  recordMessages,
  sendDirect,
  startTestSystem,
  uniquePhoto,
  type Account,
  type FileToSend,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

// All that blob storage offers, tried with links of real tickets. docs/security.md has the table.
// https://learn.microsoft.com/rest/api/storageservices/create-service-sas#permissions-for-a-blob

const DAY_MS = 24 * 3_600_000

let system: TestSystem
let messages: RecordedMessages
let admin: Account
let organiser: Account
let clockAheadMs = 0

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    clock: () => new Date(Date.now() + clockAheadMs),
    environment: { uploads: { SWEEP_INTERVAL_MS: '500', ORPHAN_QUARANTINE_MS: '0' } },
  })
  messages = await recordMessages(system)
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(async () => {
  await messages.close()
  await system.stop()
})

const url = () => system.url('uploads')
const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)
const namesOfBlobs = async (): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of container().listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
  return names
}
const photo = async (): Promise<FileToSend> => ({ name: 'photo.jpg', bytes: await uniquePhoto() })
const video = (): FileToSend => ({
  name: 'video.mp4',
  bytes: Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), randomBytes(9 * MB)]),
})

interface Operation {
  name: string
  method?: 'PUT' | 'GET' | 'HEAD' | 'DELETE' | 'POST'
  query?: string
  headers?: Record<string, string>
  body?: string
  /** With the link of a file that is sent in blocks (`w`), or also with that of one that is sent as a whole (`c`). */
  works: 'w' | 'both' | 'never'
}

const BLOCK_ID = encodeURIComponent(Buffer.from('000000').toString('base64'))
const BLOCK_LIST = '<?xml version="1.0" encoding="utf-8"?><BlockList></BlockList>'
const TAGS =
  '<?xml version="1.0" encoding="utf-8"?><Tags><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tags>'
const BLOCK_BLOB = { 'x-ms-blob-type': 'BlockBlob' }

/** On a blob that the guest has sent. `source` is the link itself. */
const operations = (source: string): Operation[] => {
  const copySource = { 'x-ms-copy-source': source }
  return [
    { name: 'read', method: 'GET', works: 'never' },
    { name: 'read its properties', method: 'HEAD', works: 'never' },
    { name: 'read its blocks', method: 'GET', query: 'comp=blocklist', works: 'never' },
    { name: 'read its tags', method: 'GET', query: 'comp=tags', works: 'never' },
    { name: 'overwrite', headers: BLOCK_BLOB, body: 'x', works: 'w' },
    { name: 'overwrite from a link', headers: { ...BLOCK_BLOB, ...copySource }, works: 'never' },
    { name: 'copy to it', headers: copySource, works: 'never' },
    {
      name: 'copy to it at once',
      headers: { ...copySource, 'x-ms-requires-sync': 'true' },
      // Azurite does not check the source.
      works: 'w',
    },
    {
      name: 'abort a copy',
      query: 'comp=copy&copyid=1',
      headers: { 'x-ms-copy-action': 'abort' },
      works: 'never',
    },
    { name: 'stage a block', query: `comp=block&blockid=${BLOCK_ID}`, body: 'x', works: 'w' },
    {
      name: 'stage a block from a link',
      query: `comp=block&blockid=${BLOCK_ID}`,
      headers: copySource,
      works: 'never',
    },
    { name: 'make it an append blob', headers: { 'x-ms-blob-type': 'AppendBlob' }, works: 'w' },
    { name: 'append', query: 'comp=appendblock', body: 'x', works: 'never' },
    {
      name: 'make it a page blob',
      headers: { 'x-ms-blob-type': 'PageBlob', 'x-ms-blob-content-length': '512' },
      works: 'w',
    },
    {
      name: 'write metadata',
      query: 'comp=metadata',
      headers: { 'x-ms-meta-a': 'b' },
      works: 'w',
    },
    {
      name: 'write properties',
      query: 'comp=properties',
      headers: { 'x-ms-blob-content-type': 'text/html' },
      works: 'w',
    },
    { name: 'write tags', query: 'comp=tags', body: TAGS, works: 'never' },
    {
      name: 'archive',
      query: 'comp=tier',
      headers: { 'x-ms-access-tier': 'Archive' },
      works: 'w',
    },
    { name: 'make a snapshot', query: 'comp=snapshot', works: 'both' },
    {
      name: 'lease',
      query: 'comp=lease',
      headers: { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' },
      works: 'w',
    },
    { name: 'undelete', query: 'comp=undelete', works: 'never' },
    {
      name: 'set an expiry',
      query: 'comp=expiry',
      headers: { 'x-ms-expiry-option': 'NeverExpire' },
      works: 'never',
    },
    {
      name: 'hold',
      query: 'comp=legalhold',
      headers: { 'x-ms-legal-hold': 'true' },
      works: 'never',
    },
    {
      name: 'make immutable',
      query: 'comp=immutabilityPolicies',
      headers: { 'x-ms-immutability-policy-until-date': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      works: 'never',
    },
    { name: 'query', method: 'POST', query: 'comp=query', body: '<QueryRequest/>', works: 'never' },
    { name: 'delete', method: 'DELETE', works: 'never' },
    {
      name: 'delete a version',
      method: 'DELETE',
      query: 'versionid=2026-01-01T00:00:00.0000000Z',
      works: 'never',
    },
    { name: 'commit blocks', query: 'comp=blocklist', body: BLOCK_LIST, works: 'w' },
  ]
}

/** Sends a file without completing it, does something else by its link, and returns the id and the status. */
const attack = async (event: Event, kind: 'single' | 'blocks', index: number) => {
  const file = kind === 'single' ? await photo() : video()
  const ticket = await newTicket(url(), event._id, file)
  const link = ticket.transfer.url
  if (kind === 'single') await putFile(ticket.transfer, file.bytes)
  else await fetch(link, { method: 'PUT', headers: BLOCK_BLOB, body: 'x' })
  const operation = operations(link)[index]
  if (!operation) throw new Error('no such operation')
  const { name, method = 'PUT', query = '', headers, body } = operation
  const response = await fetch(query ? `${link}&${query}` : link, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  })
  await response.arrayBuffer()
  return { ticket, name, status: response.status }
}

test('When an outsider tries by the links of tickets all that blob storage offers, then files of others, the sweep and the erasure are as without', async () => {
  const event = await newEvent(system.url('events'), admin, organiser, { endsIn: 400 })
  const other = await newEvent(system.url('events'), admin, organiser, { endsIn: 400 })
  const idOf = (body: Record<string, unknown>) => (body.uploads as { _id: string }[])[0]?._id ?? ''
  const kept = [idOf((await sendDirect(url(), other._id, await photo())).body)]
  const attacked: string[] = []
  const found: Pick<Operation, 'name' | 'works'>[] = []
  for (const index of operations('').keys()) {
    const [single, blocks] = [await attack(event, 'single', index), await attack(event, 'blocks', index)]
    const works = single.status < 400 ? 'both' : blocks.status < 400 ? 'w' : 'never'
    found.push({ name: single.name, works })
    attacked.push(single.ticket.uploadId, blocks.ticket.uploadId)
  }
  expect(found).toEqual(operations('').map(({ name, works }) => ({ name, works })))

  // Completions of the same event, and of others.
  for (const each of [event, other]) {
    const sent = await sendDirect(url(), each._id, await photo())
    expect(sent.status).toBe(201)
    const file = video()
    const ticket = await newTicket(url(), each._id, file)
    await putFile(ticket.transfer, file.bytes)
    expect((await complete(url(), ticket)).status).toBe(201)
    if (each === other) kept.push(idOf(sent.body), ticket.uploadId)
  }

  const left = async (ids: readonly string[]) =>
    (await namesOfBlobs()).filter((name) => ids.some((id) => name.includes(id)))
  expect((await left(attacked)).length).toBeGreaterThanOrEqual(attacked.length)
  // Others are erased with their event.
  const erased = await newEvent(system.url('events'), admin, organiser, { endsIn: 400 })
  const withEvent: string[] = []
  for (const index of operations('').keys()) {
    const { ticket } = await attack(erased, 'blocks', index)
    withEvent.push(ticket.uploadId)
  }
  await call(system.url('events'), deleteEvent, { token: admin.token, params: { eventId: erased._id } })
  // It waits by the clock for requests in progress.
  await eventually(
    () => system.log.some((line) => line.includes('waiting for requests in progress')),
    'the erasure to wait',
  )
  clockAheadMs += 20_000
  await eventually(
    () => messages.distinct('uploads.erased.v1').some(({ data }) => data.eventId === erased._id),
    'the erasure',
  )
  expect(await left(withEvent)).toEqual([])

  clockAheadMs += 60 * DAY_MS
  await eventually(async () => (await left(attacked)).length === 0, 'the sweep')
  for (const id of kept) expect(await container().getBlobClient(blobNames.original(id)).exists()).toBe(true)
})
