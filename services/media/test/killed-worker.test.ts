import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, readSample } from '@confetti/test-kit'
import { checksumsOf } from './files.ts'
import { startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ MAX_ATTEMPTS: '2' }, { processes: ['media'] })
})
afterAll(() => harness.stop())

/** Kills the worker while it decodes, and waits until its decoder has ended: the next one must not be taken for it. */
const killWorker = async (): Promise<void> => {
  await harness.waitForDecoder()
  await harness.worker.stop('SIGKILL')
  await eventually(async () => (await harness.decoderPids()).length === 0, 'no decoder left')
}

test('When the worker is killed while it processes a file, then the next worker processes it', async () => {
  const upload = await harness.upload(await readSample('iphone-13.heic'), 'image/heic')
  await killWorker()
  expect(harness.outcomesOf(upload)).toEqual([])
  const leftovers = await readdir(harness.tempDir)
  expect(leftovers).toHaveLength(1)

  await harness.worker.restart()
  expect((await harness.waitForOutcome(upload)).type).toBe('media.processed.v1')
  expect(await harness.blobsOf(upload)).toHaveLength(3)
  expect(await readdir(harness.tempDir)).not.toContain(leftovers[0])
})

test('When a file kills the worker repeatedly, then it fails permanently and the next file is processed', async () => {
  const photo = await readSample('iphone-13.heic')
  const upload = await harness.upload(photo, 'image/heic')
  await killWorker()
  await harness.worker.restart()
  await killWorker()
  await harness.worker.restart()
  expect((await harness.waitForOutcome(upload)).data).toMatchObject({
    reason: 'The file could not be processed.',
    ...checksumsOf(photo),
  })
  const next = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  expect((await harness.waitForOutcome(next)).type).toBe('media.processed.v1')
})

test('When the worker is stopped, then it finishes its file first and leaves no temporary files', async () => {
  const upload = await harness.upload(await readSample('iphone-13.heic'), 'image/heic')
  await harness.waitForDecoder()
  expect(await harness.worker.stop()).toBe(0)
  expect(await readdir(harness.tempDir)).toEqual([])
  await harness.worker.restart()
  expect((await harness.waitForOutcome(upload)).type).toBe('media.processed.v1')
})
