import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BlockBlobClient } from '@azure/storage-blob'
import { MB } from '@confetti/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createMemoryBudget } from './memory-budget.ts'
import { createSegmentPool } from './segment-pool.ts'
import { stageBlob, newDeadline } from './staged-blob.ts'

// A blob storage that fails at chosen moments; the calls and retries are those of the real client.
let answer: RequestListener
const server = createServer((request, response) => answer(request, response))
let blob: BlockBlobClient

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  blob = new BlockBlobClient(`http://127.0.0.1:${port}/account/container/blob`, undefined, {
    retryOptions: { maxTries: 2, retryDelayInMs: 1, maxRetryDelayInMs: 1 },
  })
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

const answerWith =
  (...statuses: number[]): RequestListener =>
  (request, response: ServerResponse) => {
    request.resume().on('end', () => response.writeHead(statuses.shift() ?? 201).end())
  }

/** Stores a photo; returns whether it was stored, the bytes returned to the pool, and the bytes still reserved. */
const storePhoto = async (timeoutMs: number) => {
  const pool = createSegmentPool(MB)
  let releasedBytes = 0
  const segments = {
    acquire: pool.acquire,
    release: (segment: Buffer) => {
      releasedBytes += segment.length
      pool.release(segment)
    },
  }
  const memoryBudget = createMemoryBudget(16 * MB)
  const staged = stageBlob(blob, { memoryBudget, segments, newCallDeadline: () => newDeadline(timeoutMs) })
  await staged.write(randomBytes(60_000))
  const stored = await staged.commit('image/jpeg', newDeadline(timeoutMs)).then(
    () => true,
    () => false,
  )
  return { stored, releasedBytes, usedBytes: memoryBudget.usedBytes() }
}

test('When a file is stored, then its memory is returned to the pool', async () => {
  answer = answerWith(201)
  expect(await storePhoto(60_000)).toEqual({ stored: true, releasedBytes: 65_536, usedBytes: 0 })
})

test('When a file is stored by a retry, then its memory is not reused, as the first request may still be reading it', async () => {
  answer = answerWith(500, 201)
  expect(await storePhoto(60_000)).toEqual({ stored: true, releasedBytes: 0, usedBytes: 0 })
})

test('When blob storage does not answer in time, then the memory of the file is not reused', async () => {
  answer = () => undefined
  expect(await storePhoto(200)).toEqual({ stored: false, releasedBytes: 0, usedBytes: 0 })
})

test('When the start of a file could not be staged, then the rest uses no memory after the file is discarded', async () => {
  answer = answerWith(500, 500)
  const memoryBudget = createMemoryBudget(16 * MB)
  const staged = stageBlob(blob, {
    memoryBudget,
    segments: createSegmentPool(MB),
    newCallDeadline: () => newDeadline(60_000),
  })
  for (let written = 0; written < 5; written += 1) await staged.write(randomBytes(MB))
  await expect(staged.flush()).rejects.toMatchObject({ status: 503 })
  await staged.discard()
  expect(memoryBudget.usedBytes()).toBe(0)
  await expect(staged.commit('image/jpeg', newDeadline(60_000))).rejects.toMatchObject({ status: 503 })
})
