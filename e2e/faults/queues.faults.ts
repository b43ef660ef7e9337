import { deleteQueue } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play } from './play.ts'

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    // What a queue held is gone with it: uploads that wait too long are asked for again.
    environment: { uploads: { PROCESSING_PATIENCE_MS: '20000', SWEEP_INTERVAL_MS: '2000' } },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

test.each(['media.upload-completed', 'uploads.media-processed'] as const)(
  'When the queue %s is deleted under its consumer, then photos are acknowledged all the while and what it held is done all the same',
  (queue) =>
    play(stand, async ({ guest }) => {
      const send = async (): Promise<void> => {
        expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
      }
      await send()
      const crowd = Array.from({ length: 10 }, send)
      await deleteQueue(stand.system, queue)
      await Promise.all(crowd)
      await send()
    }),
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
