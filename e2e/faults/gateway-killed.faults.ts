import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { atHalf, newPhoto, newVideo } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({ replicas: { uploads: 2, media: 2 } })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

test('When the gateway is killed in mid-upload, then the guest loses the connection at once, sends again, and the file is there once', () =>
  play(stand, async ({ guest }) => {
    const [gateway] = stand.system.replicas('gateway')
    const video = await newVideo(20)
    const [victim, bystander] = [guest(), guest()]
    const seen = await victim.send(atHalf(video, () => gateway?.signal('SIGKILL')))
    expect(seen.lost).toBe(true)
    await gateway?.stop('SIGKILL')
    expect((await bystander.send(await newPhoto())).lost).toBe(true)
    await gateway?.restart()
    await victim.sendUntilKept(video)
    await bystander.sendUntilKept(await newPhoto())
  }))

test(
  'When one of two uploads replicas is killed in a burst of 100 guests, then all photos are kept by the other and by it, once',
  () =>
    play(
      stand,
      async ({ guest, ledger }) => {
        const [victim] = stand.system.replicas('uploads')
        const sending = Array.from({ length: 100 }, async () => {
          const one = guest()
          for (let photo = 0; photo < 2; photo += 1) await one.sendUntilKept(await newPhoto())
        })
        // In the middle of it: some are kept, most are under way.
        const middle = guest('Table in the middle')
        await middle.sendUntilKept(await newPhoto())
        await victim?.stop('SIGKILL')
        const keptAtTheKill = ledger.count()
        await middle.sendUntilKept(await newPhoto())
        await victim?.restart()
        await Promise.all(sending)
        expect(keptAtTheKill).toBeLessThan(200)
        expect(ledger.count()).toBe(202)
      },
      { withinMs: 300_000 },
    ),
  600_000,
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
