import { counter, deleteQueue, eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

// More than a consumer takes from its queue at once.
const PHOTOS = 20
const TIME_LIMIT_MS = 300_000

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    // What a queue held is gone with it: uploads that wait too long are asked for again.
    environment: { uploads: { PROCESSING_PATIENCE_MS: '20000', SWEEP_INTERVAL_MS: '2000' } },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

type Consumer = 'media' | 'uploads'
const signal = (service: Consumer, name: NodeJS.Signals): void => {
  for (const replica of stand.system.replicas(service)) replica.signal(name)
}

const sends = async ({ guest }: Scene, photos: number): Promise<void> => {
  for (let n = 0; n < photos; n += 1)
    expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
}

const told = (service: Consumer, type: string): Promise<number> =>
  counter(stand.system, service, 'messaging_published_total', { type })

/** Resolves when the broker has a fact of this type for each photo. */
const whenTold = (service: Consumer, type: string, before: number): Promise<unknown> =>
  eventually(
    async () => (await told(service, type)) >= before + PHOTOS,
    `${PHOTOS} facts ${type}`,
    TIME_LIMIT_MS,
  )

test('When the queue of the media worker is deleted with what waits in it, then photos are acknowledged all the while and ready in the end', () =>
  play(stand, async (scene) => {
    await sends(scene, 1)
    const before = await told('uploads', 'upload.completed.v1')
    signal('media', 'SIGSTOP')
    try {
      await sends(scene, PHOTOS)
      await whenTold('uploads', 'upload.completed.v1', before)
      await deleteQueue(stand.system, 'media.upload-completed')
      await sends(scene, 1)
    } finally {
      signal('media', 'SIGCONT')
    }
    await sends(scene, 1)
  }))

test('When the queue of what the media worker has done is deleted with what waits in it, then photos are ready in the end', () =>
  play(stand, async (scene) => {
    await sends(scene, 1)
    const before = await told('media', 'media.processed.v1')
    signal('media', 'SIGSTOP')
    try {
      await sends(scene, PHOTOS)
    } finally {
      // So that nobody takes from the queue what the worker now says.
      signal('uploads', 'SIGSTOP')
      signal('media', 'SIGCONT')
    }
    try {
      await whenTold('media', 'media.processed.v1', before)
      await deleteQueue(stand.system, 'uploads.media-processed')
    } finally {
      signal('uploads', 'SIGCONT')
    }
    await sends(scene, 1)
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
