import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, readSample, samples } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { makeDecode } from '../src/decode/decode.ts'
import { createWarmDecoders } from '../src/decode/decoder-processes.ts'
import { MEMORY_EXCEEDED_STATUS, UnprocessableMediaError } from '../src/decode/decoder-protocol.ts'
import { settings } from './decoder-settings.ts'
import { truncated } from './files.ts'
import { gridOf, x265Picture } from './heif-files.ts'
import { processesWith } from './processes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-warm-'))
})
afterAll(() => rm(folder, { recursive: true }))

const warmDecoders = createWarmDecoders(2)
const noDecoders = () => eventually(async () => (await processesWith(folder)).length === 0, 'no decoder')
afterEach(async () => {
  warmDecoders.killAll()
  await noDecoders()
})

const store = async (bytes: Uint8Array) => {
  const jobFolder = await mkdtemp(join(folder, 'job-'))
  const file = join(jobFolder, 'original')
  await writeFile(file, bytes)
  return { file, folder: jobFolder }
}
const decode = async (bytes: Uint8Array, guestId?: string, changes: Partial<typeof settings> = {}) => {
  const run = makeDecode({ ...settings, warmDecoders, ...changes })
  return run({ ...(await store(bytes)), contentType: 'image/jpeg', ...(guestId && { guestId }) })
}
const photo = await readSample('orientation-6.jpg')

test('When a guest sends several photos, then one decoder decodes them, and none of another guest', async () => {
  await decode(photo, 'guest-1')
  const first = await processesWith(folder)
  expect(first).toHaveLength(1)
  const { metadata } = await decode(await readSample('camera-gps.jpg'), 'guest-1')
  expect(metadata).toEqual(samples['camera-gps.jpg'])
  expect(await processesWith(folder)).toEqual(first)
  await decode(photo, 'guest-2')
  const both = await processesWith(folder)
  expect(both).toHaveLength(2)
  expect(both).toEqual(expect.arrayContaining(first))
})

test('When a photo has no guest, then its decoder ends with it', async () => {
  await decode(photo)
  expect(await processesWith(folder)).toEqual([])
})

test('When more guests send than decoders may wait, then the one that has waited the longest ends', async () => {
  await decode(photo, 'guest-1')
  const [longest] = await processesWith(folder)
  await decode(photo, 'guest-2')
  await decode(photo, 'guest-3')
  await eventually(async () => (await processesWith(folder)).length === 2, 'two decoders')
  expect(await processesWith(folder)).not.toContain(longest)
})

test('When a photo is refused, then its decoder ends, and the next photo of the guest is decoded', async () => {
  await decode(photo, 'guest-1')
  await expect(decode(await truncated('gradient.png'), 'guest-1')).rejects.toBeInstanceOf(
    UnprocessableMediaError,
  )
  expect(await processesWith(folder)).toEqual([])
  expect((await decode(photo, 'guest-1')).metadata).toEqual(samples['orientation-6.jpg'])
})

test('When a waiting decoder is killed, then the next photo of the guest is decoded', async () => {
  await decode(photo, 'guest-1')
  const [pid = 0] = await processesWith(folder)
  process.kill(pid, 'SIGKILL')
  await noDecoders()
  expect((await decode(photo, 'guest-1')).metadata).toEqual(samples['orientation-6.jpg'])
})

test('When a guest sends photos at the same time, then their decoders wait, too', async () => {
  await Promise.all([decode(photo, 'guest-1'), decode(photo, 'guest-1')])
  const both = await processesWith(folder)
  expect(both).toHaveLength(2)
  await Promise.all([decode(photo, 'guest-1'), decode(photo, 'guest-1')])
  expect(await processesWith(folder)).toEqual(both)
})

test('When a decoder that has waited fails, then the photo is decoded by a new one', async () => {
  const program = join(folder, 'exceeds-memory.mjs')
  await writeFile(program, `process.once('message', () => process.exit(${MEMORY_EXCEEDED_STATUS}))`)
  const used = fork(program, { execArgv: [], detached: true, serialization: 'advanced' })
  const ended = once(used, 'exit')
  warmDecoders.keep('guest-1', used)
  expect((await decode(photo, 'guest-1')).metadata).toEqual(samples['orientation-6.jpg'])
  expect(await ended).toEqual([MEMORY_EXCEEDED_STATUS, null])
})

test('When a worker without ffmpeg is sent a video, then the decoder of the guest goes on waiting', async () => {
  await decode(photo, 'guest-1')
  const waiting = await processesWith(folder)
  const programs = { ...settings.programs, hasFfmpeg: false }
  const video = { ...(await store(await readSample('video.mp4'))), contentType: 'video/mp4' } as const
  const decoding = makeDecode({ ...settings, warmDecoders, programs })({ ...video, guestId: 'guest-1' })
  await expect(decoding).rejects.toThrow('ffmpeg')
  await decode(photo, 'guest-1')
  expect(await processesWith(folder)).toEqual(waiting)
})

test('When a large photo is decoded, then no decoder waits meanwhile', async () => {
  const [programs, block] = [join(folder, 'programs'), join(folder, 'block')]
  await mkdir(programs)
  await writeFile(block, '')
  const slowProgram = `#!/bin/sh\nwhile [ -e ${block} ]; do sleep 0.1; done\nexit 1\n`
  await writeFile(join(programs, 'heif-convert'), slowProgram, { mode: 0o755 })
  const run = makeDecode({
    ...settings,
    warmDecoders,
    path: `${programs}:${settings.path}`,
    programs: { ...settings.programs, heifDecoders: ['heif-convert'] },
  })
  const decoders = () => processesWith(folder, 'decoder.ts')
  const small = { ...(await store(photo)), contentType: 'image/jpeg', guestId: 'guest-1' } as const
  await run(small)
  expect(await decoders()).toHaveLength(1)

  const largePhoto = await store(gridOf(await x265Picture(512, 512), 20, 16))
  const large = run({ ...largePhoto, contentType: 'image/heic', guestId: 'guest-2' })
  await eventually(async () => (await processesWith(programs)).length > 0, 'heif-convert')
  await eventually(async () => (await decoders()).length === 1, 'the decoder of the large photo alone')
  await run(small)
  expect(await decoders()).toHaveLength(1)

  await rm(block)
  await expect(large).rejects.toEqual(new UnprocessableMediaError('The photo is damaged.'))
})

test('When a decoder has decoded many photos, then the limit on processor time counts for each', async () => {
  for (let count = 0; count < 6; count += 1) await decode(photo, 'guest-1', { cpuTimeLimitMs: 900 })
  expect(await processesWith(folder)).toHaveLength(1)
})
