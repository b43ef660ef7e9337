import type { Upload } from '@confetti/contracts'
import { createTestEvent, type TestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem } from '../bench-system.ts'
import { createPhotoFactory, createSmallPhotoFactory } from '../guest-files.ts'
import { mapConcurrently, sendAll } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { percentile } from '../statistics.ts'
import type { Scenario } from './scenario.ts'

const PAGE_SIZE = 50
const REQUESTS_PER_ROUND = 5
// As many as a browser opens to one host.
const DOWNLOAD_CONNECTIONS = 6

const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`GET ${url} returned ${response.status}: ${await response.text()}`)
  return response
}

/** Signs the organiser in. Returns the calls that their page makes. */
const signInOrganiser = async (api: string, { event, organiserCredentials }: TestEvent) => {
  const headers = await signIn(api, organiserCredentials)
  return {
    list: async (query = ''): Promise<Upload[]> => {
      const url = `${api}/api/myevents/uploads/${event._id}${query}`
      const response = await get(url, headers)
      return ((await response.json()) as { uploads: Upload[] }).uploads
    },
    loadThumbnails: (uploads: readonly Upload[]): Promise<void> =>
      mapConcurrently(uploads, DOWNLOAD_CONNECTIONS, async ({ thumbnailUrl = '' }) => {
        await (await get(thumbnailUrl)).arrayBuffer()
      }),
  }
}

interface Measurements {
  organiser: Awaited<ReturnType<typeof signInOrganiser>>
  firstPageMs: number[]
  allMs: number[]
  thumbnailsMs: number[]
}

const measureRound = async ({ organiser, firstPageMs, allMs, thumbnailsMs }: Measurements): Promise<void> => {
  const pages: number[] = []
  for (let n = 0; n < REQUESTS_PER_ROUND; n += 1)
    pages.push(await measureMs(() => organiser.list(`?limit=${PAGE_SIZE}`)))
  firstPageMs.push(percentile(pages, 0.5))
  let uploads: Upload[] = []
  allMs.push(await measureMs(async () => (uploads = await organiser.list())))
  thumbnailsMs.push(await measureMs(() => organiser.loadThumbnails(uploads.slice(-PAGE_SIZE))))
}

/** Lists an event with 10,000 uploads, and one with 100 for comparison. */
export const listing: Scenario = {
  name: 'listing',
  description: `The first page of ${PAGE_SIZE} uploads, all uploads, and ${PAGE_SIZE} thumbnails on ${DOWNLOAD_CONNECTIONS} connections, of an event with 100 uploads and one with 10,000, in turn. Each figure of the first page is the median of ${REQUESTS_PER_ROUND} requests.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSystem = await startBenchSystem({ profiles })
    const api = benchSystem.system.url('gateway')
    const [createPhotos, createSmallPhotos] = [await createPhotoFactory(), await createSmallPhotoFactory()]
    const [worker] = benchSystem.system.replicas('media')
    await worker?.restart()
    const testEvents = [
      await createTestEvent(api, '100 uploads', benchSystem.admin),
      await createTestEvent(api, '10,000 uploads', benchSystem.admin),
    ] as const
    // Only the first photos get thumbnails; those of all uploads would take an hour.
    for (const testEvent of testEvents) {
      await sendAll(api, testEvent, createPhotos(PAGE_SIZE))
      await testEvent.waitForProcessing()
    }
    await worker?.stop()
    await sendAll(api, testEvents[0], createSmallPhotos(100 - PAGE_SIZE))
    await sendAll(api, testEvents[1], createSmallPhotos(10_000 - PAGE_SIZE))
    print('  10,000 uploads are stored')

    const newMeasurements = async (testEvent: TestEvent): Promise<Measurements> => ({
      organiser: await signInOrganiser(api, testEvent),
      firstPageMs: [],
      allMs: [],
      thumbnailsMs: [],
    })
    const [few, many] = [await newMeasurements(testEvents[0]), await newMeasurements(testEvents[1])]
    for (let round = 0; round < rounds; round += 1)
      for (const measurements of round % 2 === 0 ? [few, many] : [many, few]) await measureRound(measurements)
    await benchSystem.stop()

    const rowOf = (target: string, { firstPageMs, allMs, thumbnailsMs }: Measurements) => ({
      target,
      figures: {
        'first page ms': firstPageMs,
        'all ms': allMs,
        [`${PAGE_SIZE} thumbnails ms`]: thumbnailsMs,
      },
    })
    return {
      rows: [rowOf('100 uploads', few), rowOf('10,000 uploads', many)],
      thresholds: [
        {
          metric: 'First page of 10,000 uploads, times that of 100',
          values: many.firstPageMs.map((ms, round) => ms / (few.firstPageMs[round] ?? ms)),
          isRatio: true,
          limit: { atMost: 3 },
        },
      ],
    }
  },
}
