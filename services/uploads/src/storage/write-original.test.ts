import { Readable } from 'node:stream'
import type { BlockBlobClient } from '@azure/storage-blob'
import { timedOut } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { writeOriginal } from './write-original.ts'

/** A blob whose calls read what they are given some time later, as a call that is tried again does. */
const startBlob = () => {
  const staged = new Map<string, string>()
  const blob = { committed: '', calls: [] as string[] }
  const later = (body: Uint8Array): Promise<string> =>
    new Promise((resolve) => setImmediate(() => resolve(Buffer.from(body).toString())))
  const client = {
    upload: async (body: Uint8Array) => {
      blob.calls.push('upload')
      blob.committed = await later(body)
    },
    stageBlock: async (id: string, body: Uint8Array) => {
      blob.calls.push('stage')
      staged.set(id, await later(body))
    },
    commitBlockList: (ids: string[]) => {
      blob.calls.push('commit')
      blob.committed = ids.map((id) => staged.get(id)).join('')
      return Promise.resolve()
    },
  }
  return { blob, client: client as unknown as BlockBlobClient }
}

const write = (client: BlockBlobClient, chunks: AsyncIterable<Buffer>) =>
  writeOriginal(client, chunks, {
    contentType: 'image/jpeg',
    buffer: Buffer.alloc(10),
    newCallDeadline: () => ({ abortSignal: AbortSignal.timeout(60_000) }),
  })

const chunksOf = (text: string, ...sizes: number[]): Readable => {
  let start = 0
  const chunks = [...sizes, text.length].map((size) => {
    start += size
    return Buffer.from(text.slice(start - size, start))
  })
  return Readable.from(chunks)
}

test.each([
  ['less than the buffer', 'abc', [1], ['upload']],
  ['as much as the buffer', 'abcdefghij', [4, 4], ['stage', 'commit']],
  [
    'more, in small chunks',
    'abcdefghijklmnopqrstuvwxyz',
    [3, 3, 3, 3],
    ['stage', 'stage', 'stage', 'commit'],
  ],
  ['more, in one chunk', 'abcdefghijklmnopqrstuvwxyz', [], ['stage', 'stage', 'stage', 'commit']],
])('When there is %s, then all bytes are stored, in order', async (_, text, sizes, calls) => {
  const { blob, client } = startBlob()
  await write(client, chunksOf(text, ...sizes))
  expect(blob).toEqual({ committed: text, calls })
})

test('When the bytes end with an error, then nothing is committed, and the error is that of the bytes', async () => {
  const { blob, client } = startBlob()
  const interrupted = async function* () {
    yield* chunksOf('abcdefghijklmnop')
    throw timedOut('The upload was interrupted.')
  }
  await expect(write(client, interrupted())).rejects.toThrow('The upload was interrupted.')
  expect(blob).toEqual({ committed: '', calls: ['stage'] })
})

test('When blob storage refuses a block, then no more bytes are read, and it is unavailable', async () => {
  const { client } = startBlob()
  client.stageBlock = () => Promise.reject(new Error('busy'))
  let read = 0
  const endless = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        read += 1
        return Promise.resolve({ value: Buffer.alloc(10) })
      },
    }),
  }
  await expect(write(client, endless)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(read).toBe(1)
})
