import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, sample } from '@confetti/test-kit'
import { startBench, type Bench } from './bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ MAX_ATTEMPTS: '2' })
})
afterAll(() => bench.stop())

const killWorker = async (): Promise<void> => {
  await bench.decoding()
  await bench.worker.stop('SIGKILL')
}

test('When the worker is killed in the middle of a job, then the job is done by the next one', async () => {
  const upload = await bench.send(await sample('iphone-13.heic'), 'image/heic')
  await killWorker()
  expect(bench.outcomesOf(upload)).toEqual([])
  await eventually(async () => (await bench.decoders()).length === 0, 'the end of its decoder')
  const leftovers = await readdir(bench.tempDir)
  expect(leftovers).toHaveLength(1)

  await bench.worker.restart()
  expect((await bench.outcomeOf(upload)).type).toBe('media.processed.v1')
  expect(await bench.blobsOf(upload)).toHaveLength(3)
  expect(await readdir(bench.tempDir)).not.toContain(leftovers[0])
})

test('When a file kills the worker again and again, then it is given up and the next one is shown', async () => {
  const upload = await bench.send(await sample('iphone-13.heic'), 'image/heic')
  await killWorker()
  await bench.worker.restart()
  await killWorker()
  await bench.worker.restart()
  expect((await bench.outcomeOf(upload)).data).toMatchObject({
    reason: 'The file could not be processed.',
  })
  const next = await bench.send(await sample('camera-gps.jpg'), 'image/jpeg')
  expect((await bench.outcomeOf(next)).type).toBe('media.processed.v1')
})

test('When the worker is told to end, then it finishes its job first and leaves nothing behind', async () => {
  const upload = await bench.send(await sample('iphone-13.heic'), 'image/heic')
  await bench.decoding()
  expect(await bench.worker.stop()).toBe(0)
  expect(await readdir(bench.tempDir)).toEqual([])
  await bench.worker.restart()
  expect((await bench.outcomeOf(upload)).type).toBe('media.processed.v1')
})
