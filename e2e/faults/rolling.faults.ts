import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@confetti/launcher'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'

const GUESTS = 200
const order: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway']
// Enough for what is under way when a service is told to go, on a busy machine too. In production it is an hour.
const patient = { SHUTDOWN_GRACE_MS: '120000' }

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    replicas: { uploads: 2, media: 2, gateway: 2 },
    environment: Object.fromEntries(order.map((name) => [name, patient])),
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

/** The same file over thin bandwidth: a megabyte each half second. */
const slowly = (file: GuestFile): GuestFile => ({
  ...file,
  chunks: async function* () {
    for await (const chunk of file.chunks()) {
      yield chunk
      await sleep(500)
    }
  },
})

test(
  'When every service is restarted one by one under 200 guests, then each photo is kept once and nobody waits long',
  () =>
    play(
      stand,
      async ({ guest, ledger }) => {
        const replicas = order.flatMap((name) => stand.system.replicas(name))
        const guests = Array.from({ length: GUESTS }, () => guest())
        const sendPhoto = async (n: number) => guests[n]?.sendUntilKept(await newPhoto())
        const photos = guests.map((_, n) => sendPhoto(n))
        const later: (Promise<void> | undefined)[] = []
        for (const [step, replica] of replicas.entries()) {
          // Some begin to send as each service begins to go, one of them over thin bandwidth.
          for (let n = step; n < GUESTS; n += replicas.length) later.push(photos[n]?.then(() => sendPhoto(n)))
          later.push(guest().sendUntilKept(slowly(await newVideo(5))))
          expect(await replica.stop('SIGTERM')).toBe(0)
          await replica.restart()
        }
        await Promise.all([...photos, ...later])
        expect(ledger.count()).toBe(2 * GUESTS + replicas.length)
      },
      { withinMs: 400_000 },
    ),
  900_000,
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
