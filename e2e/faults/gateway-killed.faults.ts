import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isTemporarilyUnavailable } from './call-result.ts'
import { countStartedUploads } from './count-started-uploads.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo, pauseAtHalf, runAtHalf } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

// Includes sending a video of 20 MB on a busy machine.
const FAIL_FAST_MS = 15_000

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({ replicas: { uploads: 2, media: 2 } })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

test('When the gateway is killed in mid-upload, then the guest loses the connection at once, sends again, and the file is stored once', () =>
  runScenario(harness, async ({ guest }) => {
    const [gateway] = harness.system.replicas('gateway')
    const video = await newVideo(20)
    const [victim, bystander] = [guest(undefined, { hangMs: FAIL_FAST_MS }), guest()]
    const result = await victim.send(runAtHalf(video, () => gateway?.signal('SIGKILL')))
    expect(result.connectionLost).toBe(true)
    await gateway?.stop('SIGKILL')
    expect((await bystander.send(await newPhoto())).connectionLost).toBe(true)
    await gateway?.restart()
    await victim.sendUntilStored(video)
    await bystander.sendUntilStored(await newPhoto())
  }))

/** Starts to send videos, each paused at half, one after the other, until the replica has received one of them. */
const occupyReplica = async ({ guest }: ScenarioContext, replica: ServiceProcess) => {
  const replicas = harness.system.replicas('uploads')
  const startedByReplica = await countStartedUploads([replica])
  const senders = []
  while ((await countStartedUploads([replica])) === startedByReplica) {
    const startedBefore = await countStartedUploads(replicas)
    const video = await newVideo(6)
    const { file, resume } = pauseAtHalf(video)
    const { send, sendUntilStored } = guest()
    senders.push({ result: send(file), resume, sendAgain: () => sendUntilStored(video) })
    await eventually(
      async () => (await countStartedUploads(replicas)) > startedBefore,
      'a replica starting the upload of the video',
    )
  }
  return senders
}

test(
  'When one of two uploads replicas is killed in a burst of 100 guests, then its guests get 502 with Retry-After, and each file is stored once',
  () =>
    runScenario(harness, async (context) => {
      const { guest, uploadLog, results } = context
      const [victim] = harness.system.replicas('uploads')
      if (!victim) throw new Error('The uploads service has no replicas')
      const senders = await occupyReplica(context, victim)
      const sending = Array.from({ length: 100 }, async () => {
        const { sendUntilStored } = guest()
        for (let photo = 0; photo < 2; photo += 1) await sendUntilStored(await newPhoto())
      })
      // Kills the replica in the middle of the burst: some photos are stored, most are in flight.
      await eventually(() => uploadLog.acknowledgedCount() >= 20, 'the first photos of the burst')
      await victim.stop('SIGKILL')
      const acknowledgedAtKill = uploadLog.acknowledgedCount()
      // Only the last video is at the killed replica; its guest gets a response although it is paused.
      const lastResult = (await senders.at(-1)?.result) ?? { connectionLost: true, ms: 0 }
      expect(isTemporarilyUnavailable(lastResult)).toBe(true)
      for (const { resume } of senders) resume()
      for (const { result } of senders.slice(0, -1)) expect(await result).toMatchObject({ status: 201 })
      await senders.at(-1)?.sendAgain()
      await guest('Table in the middle').sendUntilStored(await newPhoto())
      await victim.restart()
      await Promise.all(sending)
      expect(acknowledgedAtKill).toBeLessThan(200)
      expect(uploadLog.acknowledgedCount()).toBe(201 + senders.length)
      for (const result of results)
        if (!isTemporarilyUnavailable(result)) expect(result).toMatchObject({ status: 201 })
    }),
  600_000,
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
