import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MB, type Archive } from '@confetti/contracts'
import { withHangTimeout } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createArchive, downloadArchive, hashOf } from './archive-download.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { countUntakenBytes } from './untaken-bytes.ts'

// More than the kernel keeps for gateway, uploads and the client together.
const VIDEO_MB = 24
const BYTES_PER_SECOND = 4 * MB
// Shorter than in production: a minute, and 75 s.
const IDLE_TIMEOUT_MS = { gateway: 5_000, uploads: 8_000 }

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    environment: {
      gateway: { IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS.gateway) },
      uploads: { IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS.uploads) },
    },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

const newArchive = async ({ event, guest }: ScenarioContext): Promise<Archive> => {
  await guest().sendUntilStored(await newVideo(VIDEO_MB))
  await guest().sendUntilStored(await newPhoto())
  return createArchive(harness, event._id)
}

/** Starts a download. Nothing of its body is read yet. */
const startDownload = async ({ url }: Archive, signal: AbortSignal): Promise<IncomingMessage> => {
  const [response] = (await once(get(url, { signal }), 'response')) as [IncomingMessage]
  return response
}

/** Downloads an archive at `BYTES_PER_SECOND`. */
const downloadSlowly = (archive: Archive, onBytes: (received: number) => void): Promise<Buffer> =>
  withHangTimeout('a slow download', async (signal) => {
    const chunks: Buffer[] = []
    let received = 0
    for await (const chunk of await startDownload(archive, signal)) {
      chunks.push(chunk as Buffer)
      received += (chunk as Buffer).length
      onBytes(received)
      await sleep(((chunk as Buffer).length / BYTES_PER_SECOND) * 1_000)
    }
    return Buffer.concat(chunks)
  })

/** Stops the process of a service by SIGTERM. Resolves at its end with what its clients have not taken by then. */
const stop = async (name: 'gateway' | 'uploads') => {
  const [replica] = harness.system.replicas(name)
  const code = await replica?.stop('SIGTERM')
  const untakenBytes = await countUntakenBytes(Number(new URL(replica?.url ?? '').port))
  return { code, untakenBytes, restart: () => replica?.restart() }
}

test.each(['gateway', 'uploads'] as const)(
  'When a client reads an archive slowly and %s is stopped, then the client gets all of it, and the process ends only when it was taken',
  (name) =>
    runScenario(harness, async (context) => {
      const archive = await newArchive(context)
      const { bytes: whole } = await downloadArchive(archive)
      let stopped: ReturnType<typeof stop> | undefined
      const bytes = await downloadSlowly(archive, (received) => {
        if (received > archive.bytes / 4) stopped ??= stop(name)
      })
      expect(hashOf(bytes)).toBe(hashOf(whole))
      const { code, untakenBytes, restart } = (await stopped) ?? {}
      await restart?.()
      expect(code).toBe(0)
      expect({ untakenBytes }).toEqual({ untakenBytes: 0 })
    }),
)

test('When a client reads nothing of an archive and the gateway is stopped, then the process ends nevertheless, and the client notices it', () =>
  runScenario(harness, async (context) => {
    const archive = await newArchive(context)
    await withHangTimeout('a download that is not read', async (signal) => {
      const response = await startDownload(archive, signal)
      const { code, restart } = await stop('gateway')
      expect(code).toBe(0)
      await restart()
      await expect(response.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
    })
  }))

test('No message is left in an outbox or dead-letter queue', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
})
