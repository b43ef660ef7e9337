import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { begunBy } from './begun.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { atHalf, newPhoto, newVideo, stoppedAtHalf } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { saysComeAgain } from './seen.ts'

// On a busy machine; a video of 20 MB is sent in it, too.
const AT_ONCE_MS = 15_000

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({ replicas: { uploads: 2, media: 2 } })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

test('When the gateway is killed in mid-upload, then the guest loses the connection at once, sends again, and the file is there once', () =>
  play(stand, async ({ guest }) => {
    const [gateway] = stand.system.replicas('gateway')
    const video = await newVideo(20)
    const [victim, bystander] = [guest(undefined, { hangMs: AT_ONCE_MS }), guest()]
    const seen = await victim.send(atHalf(video, () => gateway?.signal('SIGKILL')))
    expect(seen.lost).toBe(true)
    await gateway?.stop('SIGKILL')
    expect((await bystander.send(await newPhoto())).lost).toBe(true)
    await gateway?.restart()
    await victim.sendUntilKept(video)
    await bystander.sendUntilKept(await newPhoto())
  }))

/** Guests of whose videos half is sent, one after the other, until one of the videos is with this replica. */
const fillHands = async ({ guest }: Scene, replica: ServiceProcess) => {
  const all = stand.system.replicas('uploads')
  const begunBefore = await begunBy([replica])
  const senders = []
  while ((await begunBy([replica])) === begunBefore) {
    const before = await begunBy(all)
    const video = await newVideo(6)
    const { file, letGo } = stoppedAtHalf(video)
    const { send, sendUntilKept } = guest()
    senders.push({ answer: send(file), letGo, sendAgain: () => sendUntilKept(video) })
    await eventually(async () => (await begunBy(all)) > before, 'a replica beginning with the video')
  }
  return senders
}

test(
  'When one of two uploads replicas is killed in a burst of 100 guests, then those whose file it had are told to come again, and each file is kept once',
  () =>
    play(stand, async (scene) => {
      const { guest, ledger, seen } = scene
      const [victim] = stand.system.replicas('uploads')
      if (!victim) throw new Error('Two replicas were asked for')
      const halfSent = await fillHands(scene, victim)
      const sending = Array.from({ length: 100 }, async () => {
        const one = guest()
        for (let photo = 0; photo < 2; photo += 1) await one.sendUntilKept(await newPhoto())
      })
      // In the middle of it: some are kept, most are under way.
      const middle = guest('Table in the middle')
      await middle.sendUntilKept(await newPhoto())
      await victim.stop('SIGKILL')
      const keptAtTheKill = ledger.count()
      // Only the last of them is with the victim, and is answered though it waits.
      expect(saysComeAgain((await halfSent.at(-1)?.answer) ?? { lost: true, ms: 0 })).toBe(true)
      for (const { letGo } of halfSent) letGo()
      for (const { answer } of halfSent.slice(0, -1)) expect(await answer).toMatchObject({ status: 201 })
      await halfSent.at(-1)?.sendAgain()
      await middle.sendUntilKept(await newPhoto())
      await victim.restart()
      await Promise.all(sending)
      expect(keptAtTheKill).toBeLessThan(200)
      expect(ledger.count()).toBe(202 + halfSent.length)
      for (const each of seen) if (!saysComeAgain(each)) expect(each).toMatchObject({ status: 201 })
    }),
  600_000,
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
