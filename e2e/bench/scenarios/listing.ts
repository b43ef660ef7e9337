import type { Upload } from '@confetti/contracts'
import { openTrial, type Trial } from '../../trial/installation.ts'
import { openConnection } from '../connection.ts'
import { sendForm } from '../contenders/send-form.ts'
import { makePhotos, makeSmallPhotos, type GuestFile } from '../guest-files.ts'
import { startStage } from '../stage.ts'
import { percentile } from '../statistics.ts'
import type { Scenario } from './scenario.ts'

const PAGE = 50
const ASKED_IN_A_ROUND = 5
const GUESTS = 20
// As many as a browser opens to one address.
const CONNECTIONS = 6

/** Works through `items`, so many at once. */
const together = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, by: number) => Promise<void>,
) => {
  const waiting = [...items]
  const next = async (by: number): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item, by)
  }
  await Promise.all(Array.from({ length: atOnce }, (_, by) => next(by)))
}

const sendAll = async (api: string, { event }: Trial, files: readonly GuestFile[]): Promise<void> => {
  const connections = Array.from({ length: GUESTS }, () => openConnection())
  await together(files, GUESTS, async (file, by) => {
    const connection = connections[by]
    const fields = { eventId: event._id, photoCredit: `Guest ${by}` }
    if (connection) await sendForm(connection, `${api}/api/uploads`, fields, file)
  })
  for (const connection of connections) connection.close()
}

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}

/** What an organiser asks for, signed in once. */
const organiserOf = async (api: string, { event, credentials }: Trial) => {
  const signIn = await fetch(`${api}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const { accessToken } = (await signIn.json()) as { accessToken: string }
  return {
    list: async (query = ''): Promise<Upload[]> => {
      const url = `${api}/api/myevents/uploads/${event._id}${query}`
      const response = await get(url, { Authorization: `Bearer ${accessToken}` })
      return ((await response.json()) as { uploads: Upload[] }).uploads
    },
    loadThumbnails: (uploads: readonly Upload[]): Promise<void> =>
      together(uploads, CONNECTIONS, async ({ thumbnailUrl = '' }) => {
        await (await get(thumbnailUrl)).arrayBuffer()
      }),
  }
}

interface Measured {
  organiser: Awaited<ReturnType<typeof organiserOf>>
  page: number[]
  all: number[]
  thumbnails: number[]
}

const measure = async ({ organiser, page, all, thumbnails }: Measured): Promise<void> => {
  const pages: number[] = []
  for (let n = 0; n < ASKED_IN_A_ROUND; n += 1) pages.push(await msOf(() => organiser.list(`?limit=${PAGE}`)))
  page.push(percentile(pages, 0.5))
  let uploads: Upload[] = []
  all.push(await msOf(async () => (uploads = await organiser.list())))
  thumbnails.push(await msOf(() => organiser.loadThumbnails(uploads.slice(-PAGE))))
}

/** The first page of an event with 10,000 uploads beside that of one with 100. */
export const listing: Scenario = {
  name: 'listing',
  about: `The first page of ${PAGE} uploads, all uploads, and ${PAGE} thumbnails on ${CONNECTIONS} connections: of an event with 100 uploads and of one with 10,000, in turn. Each figure of the first page is the middle of ${ASKED_IN_A_ROUND}.`,
  run: async ({ rounds, profiles, say }) => {
    const stage = await startStage({ profiles })
    const api = stage.system.url('gateway')
    const [photos, smallPhotos] = [await makePhotos(), await makeSmallPhotos()]
    const [worker] = stage.system.replicas('media')
    await worker?.restart()
    const trials = [
      await openTrial(api, '100 uploads', stage.admin),
      await openTrial(api, '10,000 uploads', stage.admin),
    ] as const
    // The first ones get their thumbnails; those of the others would take an hour.
    for (const trial of trials) {
      await sendAll(api, trial, photos(PAGE))
      await trial.whenProcessed()
    }
    await worker?.stop()
    await sendAll(api, trials[0], smallPhotos(100 - PAGE))
    await sendAll(api, trials[1], smallPhotos(10_000 - PAGE))
    say('  10,000 uploads are there')

    const measuredOf = async (trial: Trial): Promise<Measured> => ({
      organiser: await organiserOf(api, trial),
      page: [],
      all: [],
      thumbnails: [],
    })
    const [few, many] = [await measuredOf(trials[0]), await measuredOf(trials[1])]
    for (let round = 0; round < rounds; round += 1)
      for (const each of round % 2 === 0 ? [few, many] : [many, few]) await measure(each)
    await stage.stop()

    const rowOf = (who: string, { page, all, thumbnails }: Measured) => ({
      who,
      figures: { 'first page ms': page, 'all ms': all, [`${PAGE} thumbnails ms`]: thumbnails },
    })
    return {
      rows: [rowOf('100 uploads', few), rowOf('10,000 uploads', many)],
      claims: [
        {
          what: 'First page of 10,000 uploads, times that of 100',
          values: many.page.map((ms, round) => ms / (few.page[round] ?? ms)),
          isRatio: true,
          wanted: { atMost: 3 },
        },
      ],
    }
  },
}
