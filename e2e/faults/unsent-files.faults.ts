import { buildFrontends, type ServiceProcess } from '@confetti/launcher'
import { eventually, readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { listUploads } from '../harness.ts'
import { startSite, type OwnSite } from '../site.ts'
import { dispatchSync, leaveUnsent, listUnsent } from '../unsent-page.ts'
import { bytesOf, newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const PHOTOS = 6
const CREDIT = 'Table 9'

let site: OwnSite

beforeAll(async () => {
  // A seeded bug changes their code.
  await buildFrontends()
  site = await startSite({ processes: ['uploads'] })
}, 300_000)
afterAll(() => site.stop(), 60_000)

const uploadsService = (): ServiceProcess => {
  const [replica] = site.system.replicas('uploads')
  if (!replica) throw new Error('No uploads service is running')
  return replica
}

const countRefused = (): Promise<number> =>
  readCounter(site.system, 'gateway', 'http_request_duration_seconds_count', {
    route: 'POST /api/uploads',
    status: '503',
  })

const hasEnded = (page: Page): Promise<boolean> =>
  page.evaluate(async () => ((await navigator.locks.query()).held ?? []).length === 0)

/** Checks that each photo is listed, so that the upload log verifies it as one that was acknowledged. */
const expectStored = async (
  { event, uploadLog, reportViolation }: ScenarioContext,
  photos: readonly { name: string; sha256: string }[],
): Promise<void> => {
  const listed = await listUploads(site, event._id)
  for (const { name, sha256 } of photos) {
    const upload = listed.find((each) => each.sha256 === sha256)
    if (upload) {
      const { _id: uploadId, size, originalName } = upload
      uploadLog.recordAcknowledged({
        uploadId,
        eventId: event._id,
        credit: CREDIT,
        sha256,
        size,
        originalName,
      })
    } else reportViolation({ kind: 'lost', what: `${name}, which the browser no longer has` })
  }
}

test('When uploads is down and is killed while the service worker sends what a closed page has left, then each photo is stored once', () =>
  runScenario(site, async (context) => {
    const { event, uploadLog } = context
    const photos = await Promise.all(Array.from({ length: PHOTOS }, () => newPhoto()))
    for (const { sha256 } of photos) uploadLog.recordSent({ eventId: event._id, credit: CREDIT, sha256 })
    const files = photos.map(async (photo) => ({
      name: photo.name,
      mimeType: 'image/jpeg',
      buffer: await bytesOf(photo),
    }))
    const page = await leaveUnsent(site, event._id, await Promise.all(files), CREDIT)

    const refusedBefore = await countRefused()
    await uploadsService().stop('SIGKILL')
    await dispatchSync(site, page)
    await eventually(async () => (await countRefused()) > refusedBefore, 'a photo being refused')
    await eventually(() => hasEnded(page), 'the end of the first attempt')
    await uploadsService().restart()

    await dispatchSync(site, page)
    await eventually(async () => (await listUploads(site, event._id)).length > 0, 'the first photo')
    await uploadsService().stop('SIGKILL')
    await eventually(() => hasEnded(page), 'the end of the second attempt')
    await uploadsService().restart()

    await dispatchSync(site, page)
    await eventually(
      async () => (await listUnsent(page)).withBytes === 0,
      'no photo being left in the browser',
    )
    await expectStored(context, photos)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(site)).toEqual([])
}, 120_000)
