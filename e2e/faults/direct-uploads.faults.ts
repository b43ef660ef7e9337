import { setTimeout as sleep } from 'node:timers/promises'
import { blobNames, type BlockTransfer, type Transfer } from '@confetti/contracts'
import {
  eventually,
  putBlock,
  putFile,
  startTcpProxy,
  testBackends,
  uniquePhoto,
  type TcpProxy,
} from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { listUploads, waitForProcessing } from '../harness.ts'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { createDirectGuest, type DirectGuest, type DirectUpload } from './direct-guest.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { bytesOf, createGuestFile, newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { killAfter, killAfterRecord, killBefore } from './kill-points.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { createServiceClocks, type ServiceClocks } from './service-clocks.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { listBlobNames, listUploadIds, waitForRemovalOfOthers } from './wait-for-cleanup.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
// 45 s in production.
const BLOB_TIMEOUT_MS = 10_000
// Less than two calls to blob storage that time out one after the other.
const HANG_MS = 18_000
// Much longer than it takes to write a record and to respond.
const COPY_DELAY_MS = 6_000

let harness: FaultHarness
let clocks: ServiceClocks
let blobs: BlobProxy
let mongo: TcpProxy

beforeAll(async () => {
  clocks = await createServiceClocks()
  blobs = await startBlobProxy(testBackends().blob)
  harness = await startFaultHarness({
    environment: {
      // Longer than all scenarios of this file take on a busy machine.
      auth: { ACCESS_TOKEN_SECONDS: '7200' },
      uploads: {
        ...clocks.environment.uploads,
        // Guests bypass the proxy, so that only calls of uploads count.
        BLOB_PUBLIC_URL: blobs.publicUrl,
        BLOB_TIMEOUT_MS: String(BLOB_TIMEOUT_MS),
        SWEEP_INTERVAL_MS: '1000',
        ORPHAN_QUARANTINE_MS: '0',
      },
      media: { BLOB_CONNECTION_STRING: testBackends().blob },
    },
    proxyBackends: async (addresses) => {
      mongo = await startTcpProxy(addresses.mongo)
      return { blob: blobs.url, mongo: mongo.url }
    },
  })
}, 180_000)
afterEach(() => {
  blobs.mode('pass')
  delete blobs.hooks.before
  delete blobs.hooks.after
  delete mongo.hooks.onRequest
  delete mongo.hooks.onReply
})
afterAll(async () => {
  await harness.stop()
  await Promise.all([blobs.close(), mongo.close(), clocks.remove()])
}, 60_000)

const newGuest = (context: ScenarioContext, credit = 'Table 1', hangMs?: number): DirectGuest =>
  createDirectGuest(context, { api: harness.api, credit, ...(hangMs && { hangMs }) })

/** A video that is sent in three blocks. */
const newLargeVideo = (): Promise<GuestFile> => newVideo(8)

const findReplica = (service: 'uploads' | 'media') => {
  const [replica] = harness.system.replicas(service)
  if (!replica) throw new Error(`The ${service} service is not running`)
  return replica
}

/** Kills uploads once, when `kill` is called. Resolves when it has ended. */
const scheduleKill = () => {
  let isKilled = false
  return {
    kill: async (): Promise<void> => {
      await findReplica('uploads').stop('SIGKILL')
      isKilled = true
    },
    killed: (step: string) => eventually(() => isKilled, `uploads being killed ${step}`),
  }
}
type Kill = () => Promise<void>

interface KillPoint {
  step: string
  schedule: (kill: Kill) => void
  /** Whether the record has been written. */
  isRecorded?: boolean
}

const afterRecord: KillPoint = {
  step: 'after the record and before the response',
  schedule: (kill) => killAfterRecord(mongo, kill),
  isRecorded: true,
}
const photoKills: KillPoint[] = [
  { step: 'before it reads the original', schedule: (kill) => killBefore(blobs, 'Get Blob', kill) },
  { step: 'after it has read the original', schedule: (kill) => killAfter(blobs, 'Get Blob', kill) },
  afterRecord,
]
const videoKills: KillPoint[] = [
  { step: 'before it lists the blocks', schedule: (kill) => killBefore(blobs, 'Get Block List', kill) },
  { step: 'before the commit', schedule: (kill) => killBefore(blobs, 'Put Block List', kill) },
  { step: 'after the commit', schedule: (kill) => killAfter(blobs, 'Put Block List', kill) },
  { step: 'before the copy', schedule: (kill) => killBefore(blobs, 'Copy Blob', kill) },
  { step: 'after the copy', schedule: (kill) => killAfter(blobs, 'Copy Blob', kill) },
  ...photoKills,
]

/** Completes a file, kills uploads meanwhile, and restarts it. Nothing needs to be sent again after that. */
const completeDuringKill = async (
  guest: DirectGuest,
  upload: DirectUpload,
  { step, schedule, isRecorded = false }: KillPoint,
): Promise<void> => {
  const { kill, killed } = scheduleKill()
  schedule(kill)
  const { result } = await guest.complete(upload)
  expect([step, result]).toEqual([step, expect.objectContaining({ status: 502 })])
  await killed(step)
  await findReplica('uploads').restart()
  const resumed = await guest.resume(upload)
  expect([step, resumed.outcome]).toEqual([step, isRecorded ? 'done' : 'send'])
  if (resumed.outcome === 'send' && resumed.transfer.kind === 'blocks')
    expect([step, resumed.transfer.received]).toEqual([step, resumed.transfer.blockIds])
}

test.each([
  { kind: 'a photo', newFile: () => newPhoto(), kills: photoKills },
  { kind: 'a video in blocks', newFile: newLargeVideo, kills: videoKills },
])(
  'When uploads is killed between each two steps of completing $kind, then the same ticket completes it, and nothing is sent again',
  ({ newFile, kills }) =>
    runScenario(harness, async (context) => {
      const guest = newGuest(context)
      const file = await newFile()
      const unsent = await guest.requestTicket(file)
      await findReplica('uploads').stop('SIGKILL')
      // Blob storage needs no service to receive them.
      expect(new Set(await putFile(unsent.transfer, await bytesOf(file)))).toEqual(new Set([201]))
      await findReplica('uploads').restart()
      for (const kill of kills) await completeDuringKill(guest, unsent, kill)
      await guest.completeUntilStored(unsent)
      await guest.completeUntilStored(unsent)
    }),
)

test('When uploads is killed while it copies the blocks, then a video that was acknowledged is stored', () =>
  runScenario(harness, async (context) => {
    const guest = newGuest(context)
    const upload = await guest.put(await newLargeVideo())
    const { kill, killed } = scheduleKill()
    const responded = Promise.withResolvers<undefined>()
    blobs.hooks.before = async ({ operation }) => {
      if (operation !== 'Copy Blob') return undefined
      delete blobs.hooks.before
      await Promise.race([responded.promise, sleep(COPY_DELAY_MS)])
      await kill()
      return 'no-response'
    }
    const { completion } = await guest.complete(upload)
    responded.resolve(undefined)
    await killed('while it copies the blocks')
    await findReplica('uploads').restart()
    // A guest does not send again what was acknowledged.
    if (!completion) await guest.completeUntilStored(upload)
  }))

test('When uploads is killed again and again at one of its calls to blob storage, then every photo and video of its guests is stored once', () =>
  runScenario(harness, async (context) => {
    const files = [
      ...(await Promise.all(Array.from({ length: 6 }, () => newPhoto()))),
      ...(await Promise.all([newLargeVideo(), newLargeVideo()])),
    ]
    const state = { isSending: true }
    const sending = Promise.all(
      files.map((file, index) => newGuest(context, `Table ${index}`).sendUntilStored(file)),
    ).finally(() => (state.isSending = false))

    let kills = 0
    const killAtCall = async (nth: number): Promise<void> => {
      const { kill, killed } = scheduleKill()
      let calls = 0
      blobs.hooks.before = async ({ operation }) => {
        if (operation !== 'other') calls += 1
        if (operation === 'other' || calls !== nth) return undefined
        await kill()
        kills += 1
        return 'no-response'
      }
      await Promise.race([killed(`at call ${nth}`), sending])
      delete blobs.hooks.before
    }
    for (const nth of [1, 2, 3, 5, 7]) {
      if (state.isSending) await killAtCall(nth)
      await findReplica('uploads').restart()
    }
    await sending
    expect(kills).toBeGreaterThanOrEqual(3)
  }))

test.each([
  { step: 'it lists the blocks', operation: 'Get Block List' },
  { step: 'it commits them', operation: 'Put Block List' },
  { step: 'it copies them', operation: 'Copy Blob' },
  { step: 'it reads the original', operation: 'Get Blob' },
] as const)(
  'When blob storage hangs while $step, then completions get 503 within the time limit, and succeed when it is available again',
  ({ operation }) =>
    runScenario(harness, async (context) => {
      const guest = newGuest(context, 'Table 1', HANG_MS)
      const uploads = [await guest.put(await newLargeVideo()), await guest.put(await newPhoto())]
      blobs.hooks.before = (call) => {
        if (call.operation !== operation) return undefined
        blobs.mode('hang')
        return 'no-response'
      }
      const { result } = await guest.complete(...uploads)
      expect(result).toMatchObject({ status: 503, retryAfter: 2 })
      // Tickets need no call to blob storage.
      const late = await guest.requestTicket(await newPhoto())
      delete blobs.hooks.before
      blobs.mode('pass')
      await putFile(late.transfer, await bytesOf(late.file))
      for (const upload of [...uploads, late]) await guest.completeUntilStored(upload)
    }),
)

test('When completions are sent twice, at once and in reverse order, then all have the same answers, and each file is stored once', () =>
  runScenario(harness, async (context) => {
    const guest = newGuest(context)
    const files = await Promise.all([newPhoto(), newPhoto(), newLargeVideo(), newPhoto(), newLargeVideo()])
    const uploads = await Promise.all(files.map((file) => guest.put(file)))
    const reversed = uploads.toReversed()
    const early = [uploads, reversed, [...uploads, ...reversed], ...uploads.map((upload) => [upload])]
    const answers = await Promise.all(early.map((each) => guest.complete(...each)))
    for (const each of [reversed, uploads]) answers.push(await guest.complete(...each))
    const stored = new Map(answers[0]?.completion?.uploads.map((upload) => [upload.uploadId, upload]))
    expect(stored.size).toBe(files.length)
    for (const [index, { result, completion }] of answers.entries()) {
      expect(result).toMatchObject({ status: 201 })
      expect(completion?.rejected).toEqual([])
      const expected = new Set((early[index] ?? uploads).map(({ uploadId }) => uploadId))
      expect(new Set(completion?.uploads.map(({ uploadId }) => uploadId))).toEqual(expected)
      for (const upload of completion?.uploads ?? []) expect(upload).toEqual(stored.get(upload.uploadId))
    }
    expect(await listUploads(harness, context.event._id)).toHaveLength(files.length)
  }))

test.each([
  { step: 'commits the blocks', operation: 'Put Block List' },
  { step: 'copies the blocks', operation: 'Copy Blob' },
] as const)(
  'When a second completion ends before the first one $step, then both have the same answer',
  ({ operation }) =>
    runScenario(harness, async (context) => {
      const guest = newGuest(context)
      const upload = await guest.put(await newLargeVideo())
      const reached = Promise.withResolvers<undefined>()
      const overtaken = Promise.withResolvers<undefined>()
      blobs.hooks.before = async (call) => {
        if (call.operation !== operation) return undefined
        delete blobs.hooks.before
        reached.resolve(undefined)
        await overtaken.promise
        return undefined
      }
      const first = guest.complete(upload)
      await reached.promise
      const second = await guest.complete(upload)
      const staged = blobNames.staging(upload.uploadId)
      await eventually(async () => !(await listBlobNames(harness)).includes(staged), 'the removal of blocks')
      overtaken.resolve(undefined)
      expect(second.result).toMatchObject({ status: 201 })
      expect((await first).completion).toEqual(second.completion)
    }),
)

test.each([
  { shift: '14 minutes fast', minutes: 14 },
  { shift: '14 minutes slow', minutes: -14 },
])(
  'When the clock of uploads is $shift, then its links work, and its tickets also after the clock is right',
  ({ minutes }) =>
    runScenario(harness, async (context) => {
      const guest = newGuest(context)
      const video = await newLargeVideo()
      const begin = async (): Promise<DirectUpload> => {
        for (const file of [await newPhoto(), await newLargeVideo()])
          expect(await guest.complete(await guest.put(file))).toMatchObject({ result: { status: 201 } })
        const upload = await guest.requestTicket(video)
        expect(await putBlock(upload.transfer as BlockTransfer, await bytesOf(video), 1)).toBe(201)
        return upload
      }
      await clocks.shift(harness.system, 'uploads', minutes * MINUTE_MS)
      const begun = await begin().finally(() => clocks.shift(harness.system, 'uploads', 0))
      const resumed = await guest.resume(begun)
      expect(resumed).toMatchObject({
        transfer: { received: [(begun.transfer as BlockTransfer).blockIds[1]] },
      })
      expect(await guest.complete(begun)).toMatchObject({ result: { status: 201 } })
    }),
)

test('When a guest uses a link after its end, as their clock is slow, then a resumption gives one that works', () =>
  runScenario(harness, async (context) => {
    const guest = newGuest(context)
    const files = [await newPhoto(), await newLargeVideo()]
    await clocks.shift(harness.system, 'uploads', -2 * HOUR_MS)
    const uploads = await Promise.all(files.map((file) => guest.requestTicket(file))).finally(() =>
      clocks.shift(harness.system, 'uploads', 0),
    )
    for (const upload of uploads) {
      // Blob storage ends the connection before it has received a large body that it refuses.
      const statuses = await putFile(upload.transfer, Buffer.from('start'))
      expect(new Set(statuses)).toEqual(new Set([403]))
      await guest.resume(upload)
      expect(await guest.complete(upload)).toMatchObject({ result: { status: 201 } })
    }
  }))

/** Sends bytes that blob storage should refuse. It may end the connection before it has received all of them. */
const tryPut = (transfer: Transfer, bytes: Buffer<ArrayBuffer>): Promise<unknown> =>
  putFile(transfer, bytes).catch(() => undefined)

/** Bytes of the same length and type as those of a file, which differ. */
const changeBytes = async (file: GuestFile): Promise<Buffer<ArrayBuffer>> => {
  const bytes = await bytesOf(file)
  return Buffer.from(bytes.fill(7, Math.floor(bytes.length / 2)))
}

test.each([
  { kind: 'a photo', newFile: () => newPhoto() },
  { kind: 'a video in blocks', newFile: newLargeVideo },
])('When the link of $kind is used again after the acknowledgement, then its bytes stay', ({ newFile }) =>
  runScenario(harness, async (context) => {
    const guest = newGuest(context)
    const file = await newFile()
    const upload = await guest.put(file)
    await guest.completeUntilStored(upload)
    // So that what is stored afterwards is not taken for what was sent.
    await waitForProcessing(harness, upload.uploadId, context.event._id)
    const { transfer, uploadId } = upload
    const bytes = await changeBytes(file)
    if (transfer.kind === 'single') await tryPut(transfer, bytes)
    else {
      expect(await putFile(transfer, bytes)).toEqual([201, 201, 201])
      const url = transfer.url.replace(blobNames.staging(uploadId), blobNames.original(uploadId))
      expect(url).not.toBe(transfer.url)
      await tryPut({ kind: 'single', url, headers: { 'x-ms-blob-type': 'BlockBlob' } }, bytes)
    }
    expect(await guest.complete(upload)).toMatchObject({ result: { status: 201 } })
    expect((await guest.resume(upload)).outcome).toBe('done')
  }),
)

test('When files are never completed, then the sweep removes them, and the blocks of completed ones', () =>
  runScenario(harness, async (context) => {
    const { event } = context
    const guest = newGuest(context)
    const photo = await newPhoto()
    const stored = await guest.put(photo)
    const duplicate = await guest.put(photo)
    await guest.completeUntilStored(stored)
    await waitForProcessing(harness, stored.uploadId, event._id)

    blobs.hooks.before = ({ operation }) => (operation === 'Delete Blob' ? 'busy' : undefined)
    const blocksNotRemoved = await guest.put(await newLargeVideo())
    await guest.completeUntilStored(blocksNotRemoved)
    await eventually(
      () => harness.system.log.some((line) => line.includes('failed to remove staged blocks')),
      'the failed removal',
    )
    await waitForProcessing(harness, blocksNotRemoved.uploadId, event._id)

    blobs.hooks.before = ({ operation }) => (operation === 'Copy Blob' ? 'busy' : undefined)
    const committed = await guest.put(await newLargeVideo())
    expect(await guest.complete(committed)).toMatchObject({ result: { status: 503 } })
    delete blobs.hooks.before

    const blocksAfterEnd = await guest.put(await newLargeVideo())
    await guest.completeUntilStored(blocksAfterEnd)
    await putFile(blocksAfterEnd.transfer, await bytesOf(blocksAfterEnd.file))
    await waitForProcessing(harness, blocksAfterEnd.uploadId, event._id)

    const page = createGuestFile('page.jpg', () => [Buffer.from('<html><script>alert(1)</script></html>')])
    const invalid = await guest.put(page)
    expect((await guest.complete(invalid)).completion?.rejected).toMatchObject([{ code: 'unsupported_type' }])
    const single = await guest.put(await newPhoto())
    const blocks = await guest.put(await newLargeVideo())

    const names = await listBlobNames(harness)
    const uploadIds = await listUploadIds(harness)
    for (const { uploadId } of [duplicate, invalid, single]) {
      expect(names).toContain(blobNames.original(uploadId))
      expect(uploadIds).not.toContain(uploadId)
    }
    for (const { uploadId } of [blocksNotRemoved, committed, blocksAfterEnd, blocks])
      expect(names).toContain(blobNames.staging(uploadId))

    // Later than ORPHAN_AGE_MS, which is 36 hours.
    await clocks.shift(harness.system, 'uploads', 37 * HOUR_MS)
    await waitForRemovalOfOthers(harness, uploadIds).finally(() => clocks.shift(harness.system, 'uploads', 0))
  }))

test("When a guest declares the hashes of other photos under their guest's credit, then these are accepted, and all are kept", () =>
  runScenario(harness, async (context) => {
    const credit = 'Table 4'
    const guest = newGuest(context, credit)
    const files = [await newPhoto(), await newPhoto(), await newLargeVideo()]
    const late = await newPhoto()
    const lateLie = await guest.put(await newPhoto(), late.sha256)
    // The worker would find out that the hashes are false.
    await findReplica('media').stop()
    for (const { sha256 } of files) {
      const bytes = await uniquePhoto()
      const lie = await guest.put(
        createGuestFile('lie.jpg', () => [bytes]),
        sha256,
      )
      await guest.completeUntilStored(lie)
    }
    const [byForm, ...direct] = files
    if (byForm) expect(await context.guest(credit).send(byForm)).toMatchObject({ status: 201 })
    for (const file of direct) await guest.sendUntilStored(file)
    await findReplica('media').restart()

    // Also when the hash of the true photo has been verified.
    expect(await context.guest(credit).send(late)).toMatchObject({ status: 201 })
    await guest.completeUntilStored(lateLie)
  }))

test('When the response to a completion is lost and the guest sends the photo in a form, then it is stored once', () =>
  runScenario(harness, async (context) => {
    const credit = 'Table 5'
    const guest = newGuest(context, credit)
    const photo = await newPhoto()
    const upload = await guest.put(photo)
    // The service does not know yet that the declared hash is true.
    await findReplica('media').stop()
    const { kill, killed } = scheduleKill()
    killAfterRecord(mongo, kill)
    expect(await guest.complete(upload)).toMatchObject({ result: { status: 502 } })
    await killed('after the record')
    await findReplica('uploads').restart()
    expect(await context.guest(credit).send(photo)).toMatchObject({ status: 201 })
    await findReplica('media').restart()
    await eventually(
      async () => (await listUploads(harness, context.event._id)).length === 1,
      'the two uploads being merged',
    )
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
