import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deleteUpload } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { call, eventually, readGauge, testBackends } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import { createArchive, downloadArchive, hashOf } from './archive-download.ts'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const SLOW_READERS = 20

let blobs: BlobProxy
let harness: FaultHarness

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  harness = await startFaultHarness({
    replicas: { uploads: 2 },
    proxyBackends: () => Promise.resolve({ blob: blobs.url }),
    environment: {
      uploads: {
        BLOB_PUBLIC_URL: blobs.publicUrl,
        BLOB_TIMEOUT_MS: '8000',
        MAX_ARCHIVE_DOWNLOADS: String(SLOW_READERS + 1),
      },
    },
  })
}, 180_000)
afterEach(() => {
  blobs.mode('pass')
  delete blobs.hooks.before
  delete blobs.hooks.after
})
afterAll(async () => {
  await harness.stop()
  await blobs.close()
}, 60_000)

/** Three guests send a photo each, and one a video of that many MB. */
const sendFiles = async ({ guest }: ScenarioContext, videoMb: number): Promise<void> => {
  const files = [await newVideo(videoMb), await newPhoto(), await newPhoto(), await newPhoto()]
  await Promise.all(files.map((file) => guest().sendUntilStored(file)))
}

/** Checks with another program that the archive is whole and that each file has its checksum. */
const verifyArchive = async (bytes: Buffer): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-archive-'))
  try {
    const path = join(folder, 'archive.zip')
    await writeFile(path, bytes)
    await promisify(execFile)('unzip', ['-tq', path])
  } finally {
    await rm(folder, { recursive: true })
  }
}

const replicas = (): readonly ServiceProcess[] => harness.system.replicas('uploads')

/** The replica that sends an archive. */
const findSender = async (): Promise<ServiceProcess | undefined> => {
  for (const replica of replicas())
    if ((await readGauge({ replicas: () => [replica] }, 'uploads', 'uploads_archives_in_progress')) > 0)
      return replica
  return undefined
}

test('When the replica that sends an archive is killed, then the download resumes at the other one, with the same bytes', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 40)
    const archive = await createArchive(harness, context.event._id)
    const { bytes: whole } = await downloadArchive(archive)
    await verifyArchive(whole)
    let killed: ServiceProcess | undefined
    const { bytes, interruptions } = await downloadArchive(archive, {
      onBytes: async (received) => {
        if (killed || received < archive.bytes / 3) return
        killed = await findSender()
        await killed?.stop('SIGKILL')
      },
    })
    expect(interruptions).toBeGreaterThan(0)
    expect(hashOf(bytes)).toBe(hashOf(whole))
    await killed?.restart()
  }))

test('When both replicas are restarted while an archive is downloaded, then it resumes, with the same bytes', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 40)
    const archive = await createArchive(harness, context.event._id)
    const { bytes: whole } = await downloadArchive(archive)
    const restarts: Promise<void>[] = []
    const { bytes } = await downloadArchive(archive, {
      onBytes: (received) => {
        if (restarts.length > 0 || received < archive.bytes / 2) return
        restarts.push(
          ...replicas().map(async (replica) => {
            await replica.stop('SIGKILL')
            await replica.restart()
          }),
        )
      },
    })
    await Promise.all(restarts)
    expect(hashOf(bytes)).toBe(hashOf(whole))
  }))

/** Runs curl until it ends, or kills it as soon as its file has `bytes` bytes. */
const runCurl = async (args: readonly string[], file: string, bytes = Infinity): Promise<void> => {
  const curl = spawn('curl', ['--silent', '--fail', '--output', file, ...args])
  const exited = once(curl, 'exit')
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  while (curl.exitCode === null && curl.signalCode === null) {
    if (size() >= bytes) curl.kill('SIGKILL')
    await sleep(10)
  }
  await exited
}

test('When curl is killed at 20 random places and started again, also after a restart, then the file has the same bytes each time', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 20)
    const archive = await createArchive(harness, context.event._id)
    const { bytes: whole } = await downloadArchive(archive)
    const folder = await mkdtemp(join(tmpdir(), 'confetti-curl-'))
    try {
      for (let n = 0; n < 20; n += 1) {
        const file = join(folder, `${n}.zip`)
        const place = Math.floor(Math.random() * archive.bytes * 0.6)
        await runCurl(['--limit-rate', '4M', archive.url], file, place)
        expect(statSync(file).size).toBeLessThan(archive.bytes)
        if (n === 10)
          for (const replica of replicas()) {
            await replica.stop()
            await replica.restart()
          }
        await runCurl(['--continue-at', '-', archive.url], file)
        const bytes = await readFile(file)
        expect({ place, hash: hashOf(bytes) }).toEqual({ place, hash: hashOf(whole) })
        await rm(file)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  }))

test.each([
  { fault: 'refuses connections', mode: 'refuse' },
  { fault: 'hangs', mode: 'hang' },
  { fault: 'is slow', mode: 'slow' },
] as const)(
  'When blob storage $fault while an archive is downloaded, then the connection breaks, and the download resumes later, with the same bytes',
  ({ mode }) =>
    runScenario(harness, async (context) => {
      await sendFiles(context, 40)
      const archive = await createArchive(harness, context.event._id)
      const { bytes: whole } = await downloadArchive(archive)
      let repaired: Promise<unknown> | undefined
      const { bytes, interruptions } = await downloadArchive(archive, {
        onBytes: (received) => {
          if (repaired || received < archive.bytes / 4) return
          blobs.mode(mode)
          repaired = eventually(
            async () => (await readGauge(harness.system, 'uploads', 'uploads_archives_in_progress')) === 0,
            'the end of the connection',
          ).finally(() => blobs.mode('pass'))
          // It is awaited below.
          repaired.catch(() => undefined)
        },
      })
      await repaired
      expect(interruptions).toBeGreaterThan(0)
      expect(hashOf(bytes)).toBe(hashOf(whole))
    }),
)

test('When uploads arrive and another archive is made during a download, then each has the files of its own list', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 10)
    const archive = await createArchive(harness, context.event._id)
    const { bytes: whole } = await downloadArchive(archive)
    let isSent = false
    const { bytes } = await downloadArchive(archive, {
      onBytes: async (received) => {
        if (isSent || received < archive.bytes / 3) return
        isSent = true
        await context.guest().sendUntilStored(await newPhoto())
        const larger = await createArchive(harness, context.event._id)
        expect(larger.files).toBe(archive.files + 1)
        const { bytes: all } = await downloadArchive(larger)
        await verifyArchive(all)
      },
    })
    expect(hashOf(bytes)).toBe(hashOf(whole))
  }))

test('When an upload is deleted during a download, then its link is gone, and a new one has the other files', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 40)
    const photo = await newPhoto()
    await context.guest().sendUntilStored(photo)
    const archive = await createArchive(harness, context.event._id)
    const uploads = await listUploads(harness, context.event._id)
    const uploadId = uploads.find(({ sha256 }) => sha256 === photo.sha256)?._id ?? ''
    const [response] = (await once(get(archive.url), 'response')) as [IncomingMessage]
    response.pause()
    await call(harness.api, deleteUpload, { token: harness.admin.token, params: { uploadId } })
    context.uploadLog.recordDeleted(uploadId)
    response.destroy()
    const resumed = await fetch(archive.url, { headers: { Range: 'bytes=1000-' } })
    expect([resumed.status, await resumed.json()]).toMatchObject([410, { code: 'archive_outdated' }])
    const next = await createArchive(harness, context.event._id)
    expect(next.files).toBe(archive.files - 1)
    await verifyArchive((await downloadArchive(next)).bytes)
  }))

test('When 20 clients read nothing of their downloads, then a further one and guests are served', () =>
  runScenario(harness, async (context) => {
    await sendFiles(context, 40)
    const archive = await createArchive(harness, context.event._id)
    const slow = await Promise.all(
      Array.from({ length: SLOW_READERS }, async () => {
        const [response] = (await once(get(archive.url), 'response')) as [IncomingMessage]
        return response.pause()
      }),
    )
    await verifyArchive((await downloadArchive(archive)).bytes)
    const [result] = await context.guest().sendUntilStored(await newPhoto())
    expect(result).toMatchObject({ status: 201 })
    for (const response of slow) response.destroy()
    await eventually(
      async () => (await readGauge(harness.system, 'uploads', 'uploads_archives_in_progress')) === 0,
      'the end of the downloads',
    )
  }))

test('No message is left in an outbox or dead-letter queue', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
})
