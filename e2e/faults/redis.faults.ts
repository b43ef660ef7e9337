import { listMyEvents, login } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { comeBack, isFrozen, isKilled, isStopped } from './away.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'

const GUESTS = 20
// A call waits for Redis for a blink; what is more than this is no blink, however busy the machine is.
const SOON_MS = 15_000

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    own: ['redis'],
    replicas: { gateway: 2 },
  })
}, 180_000)
afterEach(() => comeBack(stand.backend('redis')), 60_000)
afterAll(() => stand.stop(), 60_000)

const signInAndLook = async (): Promise<void> => {
  const { user, password } = stand.organiser
  const started = performance.now()
  const session = await call(stand.api, login, { body: { email: user.email, password } })
  expect(session.status).toBe(200)
  expect((await call(stand.api, listMyEvents, { token: session.body.accessToken as string })).status).toBe(
    200,
  )
  expect(performance.now() - started).toBeLessThan(2 * SOON_MS)
}

test.each([
  { words: 'is stopped', goAway: isStopped },
  { words: 'is killed', goAway: isKilled },
  { words: 'is frozen', goAway: isFrozen },
])('When Redis $words, then uploads and sign-in go on', ({ goAway }) =>
  play(stand, async ({ guest }) => {
    const guests = Array.from({ length: GUESTS }, () => guest(undefined, { hangMs: SOON_MS }))
    const sendOneEach = async (): Promise<void> => {
      const seen = await Promise.all(guests.map(async ({ send }) => send(await newPhoto())))
      for (const each of seen) expect(each).toMatchObject({ status: 201 })
    }
    await sendOneEach()
    const before = stand.system.log.length
    const whenSaid = (words: string) =>
      eventually(() => stand.system.log.slice(before).some((line) => line.includes(words)), words)
    await goAway(stand.backend('redis'))
    // The first calls are those that find out.
    await Promise.all([sendOneEach(), signInAndLook()])
    for (let n = 0; n < 3; n += 1) await Promise.all([sendOneEach(), signInAndLook()])
    await whenSaid('redis away')
    await comeBack(stand.backend('redis'))
    await whenSaid('redis back')
    await Promise.all([sendOneEach(), signInAndLook()])
  }),
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
