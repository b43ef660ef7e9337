import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'

// The worker's global scope.
const messages: object[] = []
const scope: { onmessage?: (event: { data: Blob }) => Promise<void> } = {}
Object.assign(globalThis, {
  self: Object.assign(scope, { postMessage: (message: object) => void messages.push(message) }),
})
// A script is no module for TypeScript.
const script: string = './sha256-worker.ts'
await import(script)

const CHUNK_BYTES = 4 * 1024 * 1024

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 57])(
  'When a file of %i bytes is hashed, then the hash is its SHA-256',
  async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 31 + (index >> 8))
    await scope.onmessage?.({ data: new Blob([bytes]) })
    expect(messages.at(-1)).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex') })
  },
)

test('When a file of several chunks is hashed, then the worker posts the progress after each', async () => {
  messages.length = 0
  await scope.onmessage?.({ data: new Blob([new Uint8Array(CHUNK_BYTES + 10)]) })
  expect(messages.slice(0, -1)).toEqual([{ hashedBytes: CHUNK_BYTES }, { hashedBytes: CHUNK_BYTES + 10 }])
})

test('When a file cannot be read, then the worker posts no hash', async () => {
  const unreadable = { size: 1, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) }
  await scope.onmessage?.({ data: unreadable as unknown as Blob })
  expect(messages.at(-1)).toEqual({ sha256: undefined })
})
