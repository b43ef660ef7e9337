import { expect, test } from '@jest/globals'
import { ApiError, createNetworkError } from '@confetti/api-client'
import type { BlockTransfer, NewTicket, ResumedTicket, SingleTransfer } from '@confetti/contracts'
import { createBlockLimit } from './send-blocks.ts'
import {
  createStorageAccess,
  runDirectUpload,
  type DirectUploadDeps,
  type OpenTicket,
} from './direct-upload.ts'
import type { Completion } from './upload-calls.ts'

const UPLOAD_ID = 'upload-1'
const HASH = 'abc'
const single: SingleTransfer = { kind: 'single', url: 'http://storage/blob?sig=1', headers: {} }
const blocks: BlockTransfer = {
  kind: 'blocks',
  url: 'http://storage/blob?sig=1',
  headers: {},
  blockBytes: 10,
  blockIds: ['a', 'b', 'c', 'd', 'e'],
}
const issued = (transfer: SingleTransfer | BlockTransfer): NewTicket => ({
  outcome: 'send',
  ticket: 'ticket-1',
  uploadId: UPLOAD_ID,
  expiresAt: '2027-06-12T10:00:00Z',
  transfer,
})
const resumed = (transfer: SingleTransfer | (BlockTransfer & { received: string[] })): ResumedTicket => ({
  outcome: 'send',
  ticket: 'ticket-1',
  uploadId: UPLOAD_ID,
  expiresAt: '2027-06-12T10:00:00Z',
  transfer: { ...transfer, url: 'http://storage/blob?sig=2' },
})
const upload = {
  _id: UPLOAD_ID,
  originalName: 'a.jpg',
  contentType: 'image/jpeg',
  size: 45,
  sha256: '0'.repeat(64),
  duplicate: false,
} as const
const incomplete: Completion = { outcome: 'rejected', code: 'incomplete', message: 'Not whole.' }
const expired: Completion = { outcome: 'rejected', code: 'expired', message: 'Too old.' }
const storageError = (status: number): ApiError =>
  new ApiError(status, { code: 'storage_error', message: 'No.' })
const file = new File(['x'.repeat(45)], 'a.jpg', { type: 'image/jpeg' })

/** Returns the elements one after the other, and the last one from then on. */
const inOrder = <T>(...elements: T[]): (() => T) => {
  let next = 0
  return () => elements[Math.min(next++, elements.length - 1)] as T
}

interface Replies {
  /** Whether the browser remembers the hash of the file. */
  wasSent?: boolean
  /** How old the link of a new ticket is. */
  ageMs?: number
  ticket?: () => NewTicket
  resumption?: () => ResumedTicket
  completion?: () => Completion
  /** Replies to a PUT of a block, or of the file: throws what the storage answers. */
  put?: (blockId: string | undefined, attempt: number, signature: string | null) => void
  isOtherSending?: boolean
}

/** Creates the deps of one file's upload. The API and the storage reply as the test says. */
const setup = ({
  wasSent = false,
  ageMs = 0,
  ticket = () => issued(single),
  resumption = () => resumed(single),
  completion = () => ({ outcome: 'done' }),
  put = () => undefined,
  isOtherSending = false,
}: Replies = {}) => {
  const calls: string[] = []
  const completed: (string | undefined)[] = []
  const waitedForOthers: boolean[] = []
  const remembered: string[] = []
  let open: OpenTicket | undefined
  let puts = 0
  let time = 0
  const reply = async <T>(name: string, value: () => T): Promise<T> => {
    calls.push(name)
    return Promise.resolve().then(value)
  }
  const deps: DirectUploadDeps = {
    calls: {
      requestTicket: ({ file: { sha256 } }) => reply(`ticket for ${sha256}`, ticket),
      resume: () => reply('resume', resumption),
      complete: (sent, isLast) => {
        completed.push(sent.sha256)
        waitedForOthers.push(!isLast)
        return reply('complete', completion)
      },
    },
    takeTicket: async () => ({ created: await reply('ticket', ticket), requestedAt: time - ageMs }),
    wasSent: () => wasSent,
    rememberSent: (sha256) => remembered.push(sha256),
    storageAccess: createStorageAccess(() => (time += 1)),
    blockLimit: createBlockLimit(() => 0),
    hashFile: () => Promise.resolve(HASH),
    isReadable: () => Promise.resolve(true),
    putBlob: async ({ url, body, onProgress }) => {
      const { searchParams } = new URL(url)
      const blockId = searchParams.get('blockid') ?? undefined
      const signature = searchParams.get('sig')
      calls.push(['put', blockId, `sig=${signature}`].filter(Boolean).join(' '))
      await Promise.resolve()
      put(blockId, (puts += 1), signature)
      onProgress(body.size)
    },
    wait: () => Promise.resolve(),
    random: () => 0,
    now: () => (time += 1),
    isOnline: () => true,
    findTicket: () => Promise.resolve(open),
    saveTicket: (_, saved) => (open = saved),
    removeTicket: () => (open = undefined),
  }
  let timesSent = 0
  const progress: (number | undefined)[][] = []
  const send = () =>
    runDirectUpload(
      file,
      {
        credit: 'Table 4',
        timestamp: 1,
        signal: new AbortController().signal,
        onProgress: (...bytes) => progress.push(bytes),
        onBytesSent: () => (timesSent += 1),
        isOtherSending: () => isOtherSending,
        selected: () => [],
        closedError: undefined,
      },
      deps,
    )
  return { send, calls, deps, progress, completed, waitedForOthers, remembered, bytesSent: () => timesSent }
}
const fail = (error: Error) => (): never => {
  throw error
}

test('When a small file is sent, then the order is ticket, one PUT, completion', async () => {
  const { send, calls, completed, remembered } = setup()
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', 'put sig=1', 'complete'])
  expect([completed, remembered]).toEqual([[HASH], [HASH]])
})

test('When the bytes have been sent, then the queue learns it before the completion is answered', async () => {
  const { send, calls, bytesSent } = setup({ completion: fail(createNetworkError()) })
  await expect(send()).rejects.toMatchObject({ status: 0 })
  expect(bytesSent()).toBe(1)
  expect(calls).toEqual(['ticket', 'put sig=1', 'complete'])
})

test('When the file was sent before, and the server still has it, then nothing is sent', async () => {
  const { send, calls } = setup({
    wasSent: true,
    ticket: inOrder(issued(single), { outcome: 'duplicate', upload: { ...upload, duplicate: true } }),
  })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', `ticket for ${HASH}`])
})

test('When the file was sent before, and the server has it no more, then it is sent again', async () => {
  const { send, calls } = setup({ wasSent: true })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', `ticket for ${HASH}`, 'put sig=1', 'complete'])
})

test('When the hash cannot be computed, then the file is completed without it', async () => {
  const { send, deps, completed, remembered } = setup({ wasSent: true })
  Object.assign(deps, { hashFile: () => Promise.resolve(undefined) })
  expect(await send()).toBe('sent')
  expect([completed, remembered]).toEqual([[undefined], []])
})

test('When the turn of a file comes long after its ticket was requested, then it is sent with a new link', async () => {
  const { send, calls } = setup({ ageMs: 46 * 60_000 })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', 'resume', 'put sig=2', 'complete'])
})

test.each([
  [
    'ticket',
    { ticket: (): NewTicket => ({ outcome: 'rejected', code: 'too_large', message: 'Too large.' }) },
  ],
  [
    'completion',
    { completion: (): Completion => ({ outcome: 'rejected', code: 'any', message: 'Too large.' }) },
  ],
])('When the %s is rejected, then the file fails with the message of the server', async (_, replies) => {
  const { send } = setup(replies)
  const error = await send().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect([(error as ApiError).message, (error as ApiError).isRetryable]).toEqual(['Too large.', false])
})

test('When a completion with others is answered, and this file came too late, then the error says that the event is closed', async () => {
  const closed: Completion = { outcome: 'rejected', code: 'event_closed', message: 'Closed.' }
  await expect(setup({ completion: () => closed }).send()).rejects.toMatchObject({ status: 410 })
})

test.each([403, 409])(
  'When the storage answers %i because the blob is there already, then the upload is completed',
  async (status) => {
    const { send, calls } = setup({ put: fail(storageError(status)) })
    expect(await send()).toBe('sent')
    expect(calls).toEqual(['ticket', 'put sig=1', 'complete'])
  },
)

test('When the link of a small file has expired, then it is sent with a new one', async () => {
  const { send, calls } = setup({
    put: (_, attempt) => {
      if (attempt === 1) throw storageError(403)
    },
    completion: inOrder<Completion>(incomplete, { outcome: 'done' }),
  })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', 'put sig=1', 'complete', 'resume', 'put sig=2', 'complete'])
})

test('When the link expires between blocks, then only the blocks that have not arrived are sent with the new one', async () => {
  const { send, calls } = setup({
    ticket: () => issued(blocks),
    resumption: () => resumed({ ...blocks, received: ['a', 'b'] }),
    put: (blockId, _, signature) => {
      if (signature === '1' && blockId !== 'a') throw storageError(403)
    },
  })
  expect(await send()).toBe('sent')
  expect(calls.slice(calls.indexOf('resume'))).toEqual([
    'resume',
    'put c sig=2',
    'put d sig=2',
    'put e sig=2',
    'complete',
  ])
})

test('When the completion finds the file incomplete, then the missing blocks are sent', async () => {
  const { send, calls } = setup({
    ticket: () => issued(blocks),
    completion: inOrder<Completion>(incomplete, { outcome: 'done' }),
    resumption: () => resumed({ ...blocks, received: ['a', 'b', 'c', 'e'] }),
  })
  expect(await send()).toBe('sent')
  expect(calls.slice(-4)).toEqual(['complete', 'resume', 'put d sig=2', 'complete'])
})

test('When the resumption says that the file is stored, then it is sent', async () => {
  const { send, calls } = setup({
    completion: () => incomplete,
    resumption: () => ({ outcome: 'done', upload }),
  })
  expect(await send()).toBe('sent')
  expect(calls.at(-1)).toBe('resume')
})

test.each([
  ['completion', { completion: inOrder<Completion>(expired, { outcome: 'done' }) }],
  [
    'resumption',
    {
      completion: inOrder<Completion>(incomplete, { outcome: 'done' }),
      resumption: (): ResumedTicket => ({ outcome: 'rejected', code: 'expired', message: 'Too old.' }),
    },
  ],
])('When the ticket has expired at the %s, then the file is sent with a new ticket', async (_, replies) => {
  const { send, calls } = setup(replies)
  expect(await send()).toBe('sent')
  expect(calls.filter((call) => call === 'ticket')).toHaveLength(2)
})

test('When the answer to the completion is lost, then the next attempt only completes', async () => {
  let completions = 0
  const { send, calls } = setup({
    completion: () => {
      completions += 1
      if (completions === 1) throw createNetworkError()
      return { outcome: 'done' }
    },
  })
  await expect(send()).rejects.toMatchObject({ status: 0 })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', 'put sig=1', 'complete', 'complete'])
})

test('When the connection is lost while a block is sent, then the next attempt sends only what is missing', async () => {
  let isConnected = false
  const { send, calls, deps, progress } = setup({
    ticket: () => issued(blocks),
    put: (blockId) => {
      if (!isConnected && blockId !== 'a') throw createNetworkError()
    },
  })
  Object.assign(deps, { isOnline: () => isConnected })
  await expect(send()).rejects.toMatchObject({ status: 0, isRetryable: true })
  expect(progress.at(-1)).toEqual([10, 10])
  isConnected = true
  calls.length = 0
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['put b sig=1', 'put c sig=1', 'put d sig=1', 'put e sig=1', 'complete'])
  expect(progress.at(-1)).toEqual([45, 45])
})

test('When the storage does not respond twice although the API does, then the file is sent by multipart', async () => {
  const { send, calls, deps } = setup({ put: fail(createNetworkError()) })
  expect(await send()).toBe('unavailable')
  expect(calls).toEqual(['ticket', 'put sig=1', 'resume', 'put sig=2', 'resume'])
  expect(deps.storageAccess.isBlocked()).toBe(true)
})

test('When neither the storage nor the API responds, then the file waits for the connection', async () => {
  const { send, deps } = setup({ put: fail(createNetworkError()), resumption: fail(createNetworkError()) })
  for (let attempt = 0; attempt < 5; attempt += 1)
    await expect(send()).rejects.toMatchObject({ status: 0, isRetryable: true })
  expect(deps.storageAccess.isBlocked()).toBe(false)
})

test('When a file cannot be read, then that is not taken for blocked storage', async () => {
  const { send, deps } = setup({ put: fail(createNetworkError()) })
  Object.assign(deps, { isReadable: () => Promise.resolve(false) })
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(send()).rejects.toMatchObject({ status: 0 })
  expect(deps.storageAccess.isBlocked()).toBe(false)
})

test('When the storage is busy, then the error is retryable, and the ticket is kept', async () => {
  const { send, calls } = setup({
    put: (_, attempt) => {
      if (attempt === 1) throw storageError(503)
    },
  })
  await expect(send()).rejects.toMatchObject({ status: 503, isRetryable: true })
  expect(await send()).toBe('sent')
  expect(calls).toEqual(['ticket', 'put sig=1', 'put sig=1', 'complete'])
})

test('When the storage refuses every link, then only this file is sent by multipart', async () => {
  const { send, deps } = setup({ put: fail(storageError(403)), completion: () => incomplete })
  expect(await send()).toBe('unavailable')
  expect(deps.storageAccess.isBlocked()).toBe(false)
})

test.each([true, false])(
  'When it is %p that another file is being sent, then the completion waits for it or does not',
  async (isOtherSending) => {
    const { send, waitedForOthers } = setup({ isOtherSending })
    expect(await send()).toBe('sent')
    expect(waitedForOthers).toEqual([isOtherSending])
  },
)
