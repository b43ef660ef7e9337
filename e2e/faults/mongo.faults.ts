import { getEvent, login } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { comeBack, isFrozen, isKilled, isStopped } from './away.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { whenMemoryIsGivenBack } from './stored-blobs.ts'

// More than a service has connections to its database.
const GUESTS = 30
const PHOTOS = 4
// Below the minute after which the gateway would give up in the service's place.
const SOON_MS = 45_000

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({ own: ['mongo'] })
}, 180_000)
afterEach(() => comeBack(stand.backend('mongo')), 60_000)
afterAll(() => stand.stop(), 60_000)

/** Guests who have sent one photo each, and then have two more: one for while the database is away. */
const gather = async ({ guest }: Scene) => {
  const guests = await Promise.all(
    Array.from({ length: GUESTS }, async () => ({
      ...guest(undefined, { hangMs: SOON_MS }),
      file: await newPhoto(),
    })),
  )
  await Promise.all(guests.map(async ({ sendUntilKept }) => sendUntilKept(await newPhoto())))
  return {
    expectBusy: async (): Promise<void> => {
      const seen = await Promise.all(guests.map(({ send, file }) => send(file)))
      for (const each of seen) expect(each).toMatchObject({ status: 503, retryAfter: expect.any(Number) })
      await whenMemoryIsGivenBack(stand)
    },
    untilKept: () => Promise.all(guests.map(({ sendUntilKept, file }) => sendUntilKept(file))),
  }
}

/** What members and guests who only look see, while the database is away. */
const expectLookingIsRefused = async (eventId: string): Promise<void> => {
  const { user, password } = stand.organiser
  const replies = await Promise.all([
    call(stand.api, getEvent, { params: { eventId } }),
    call(stand.api, login, { body: { email: user.email, password } }),
  ])
  for (const { status, headers } of replies) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).not.toBeNull()
  }
}

const faults = [
  { words: 'is stopped', goAway: isStopped },
  { words: 'is killed', goAway: isKilled },
  { words: 'is frozen', goAway: isFrozen },
]

test.each(faults)(
  'When MongoDB $words, then guests are told to come again, and all goes on when it is back',
  ({ goAway }) =>
    play(stand, async (scene) => {
      const guests = await gather(scene)
      await goAway(stand.backend('mongo'))
      await Promise.all([guests.expectBusy(), expectLookingIsRefused(scene.event._id)])
      await comeBack(stand.backend('mongo'))
      await guests.untilKept()
    }),
)

test('When MongoDB is killed again and again while guests send, then what was acknowledged is there', () =>
  play(stand, async ({ guest, ledger }) => {
    const sending = Promise.all(
      Array.from({ length: GUESTS }, async () => {
        const { sendUntilKept } = guest()
        for (let n = 0; n < PHOTOS; n += 1) await sendUntilKept(await newPhoto())
      }),
    )
    for (const share of [0.2, 0.4, 0.6]) {
      const many = () => ledger.count() > share * GUESTS * PHOTOS
      await Promise.race([sending, eventually(many, 'the next photos being acknowledged', 120_000)])
      await isKilled(stand.backend('mongo'))
      await comeBack(stand.backend('mongo'))
    }
    await sending
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
