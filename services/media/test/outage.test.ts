import { eventually, readCounter, readSample, startTcpProxy, testBackends } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'
import { startHarness } from './harness.ts'

test('When blob storage is unavailable at the last attempt, then the photo is processed once it is back, and is no dead letter', async () => {
  const { blob } = testBackends()
  const [endpoint = ''] = /(?<=BlobEndpoint=)[^;]+/.exec(blob) ?? []
  const proxy = await startTcpProxy(endpoint)
  const harness = await startHarness({ BLOB_CONNECTION_STRING: blob.replace(endpoint, proxy.url) })
  const count = (outcome: string) =>
    readCounter(harness.system, 'media', 'messaging_handled_total', {
      queue: 'media.upload-completed',
      outcome,
    })

  const photo = await readSample('phone-jolla.jpg')
  const upload = harness.newUpload()
  await harness.putOriginal(upload, photo)
  proxy.setMode('refuse')
  await harness.publishCompleted(upload, 'image/jpeg', photo.length, { 'x-attempt': 3 })
  await eventually(
    async () => (await count('unavailable')) + (await count('dead')) > 0,
    'the end of an attempt',
  )
  expect(await count('dead')).toBe(0)

  proxy.setMode('pass')
  expect(await harness.waitForOutcome(upload)).toMatchObject({ type: 'media.processed.v1' })
  await harness.stop()
  await proxy.close()
})
