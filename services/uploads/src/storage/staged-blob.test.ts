import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BlockBlobClient } from '@azure/storage-blob'
import { MB } from '@confetti/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createBytesInFlight } from '../domain/bytes-in-flight.ts'
import { createSegmentPool } from './segment-pool.ts'
import { stageBlob, timeLimit } from './staged-blob.ts'

// Blob storage that misbehaves at the right moment; the calls and their repetitions are those of its real client.
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

/** Stores a photo; says whether that went well, and how many bytes of memory may be filled with other files now. */
const storePhoto = async (limitMs: number) => {
  const pool = createSegmentPool(MB)
  let givenBack = 0
  const segments = {
    take: pool.take,
    giveBack: (segment: Buffer) => {
      givenBack += segment.length
      pool.giveBack(segment)
    },
  }
  const room = createBytesInFlight(16 * MB)
  const staged = stageBlob(blob, { room, segments, newLimit: () => timeLimit(limitMs) })
  await staged.write(randomBytes(60_000))
  const kept = await staged.commit('image/jpeg', timeLimit(limitMs)).then(
    () => true,
    () => false,
  )
  return { kept, givenBack, held: room.held() }
}

test('When a file is stored, then its memory may be filled with others', async () => {
  answer = answerWith(201)
  expect(await storePhoto(60_000)).toEqual({ kept: true, givenBack: 65_536, held: 0 })
})

test('When it was stored at the second try, then its memory may not: the first may still be sending', async () => {
  answer = answerWith(500, 201)
  expect(await storePhoto(60_000)).toEqual({ kept: true, givenBack: 0, held: 0 })
})

test('When blob storage does not answer in time, then its memory may not either', async () => {
  answer = () => undefined
  expect(await storePhoto(200)).toEqual({ kept: false, givenBack: 0, held: 0 })
})

test('When the beginning of a file could not be staged, then its rest holds no memory once it is discarded', async () => {
  answer = answerWith(500, 500)
  const room = createBytesInFlight(16 * MB)
  const staged = stageBlob(blob, { room, segments: createSegmentPool(MB), newLimit: () => timeLimit(60_000) })
  for (let written = 0; written < 5; written += 1) await staged.write(randomBytes(MB))
  await expect(staged.park()).rejects.toMatchObject({ status: 503 })
  await staged.discard()
  expect(room.held()).toBe(0)
  await expect(staged.commit('image/jpeg', timeLimit(60_000))).rejects.toMatchObject({ status: 503 })
})
