import { setTimeout as sleep } from 'node:timers/promises'
import { startBenchSystem } from '../bench-system.ts'
import { createGalleryEvent } from '../gallery-event.ts'
import { openGalleryViewer, type GalleryViewer } from '../gallery-viewer.ts'
import { createSmallPhotoFactory, type GuestFile } from '../guest-files.ts'
import { measureProcesses } from '../processes.ts'
import { runWorkload } from '../run-workload.ts'
import { percentile } from '../statistics.ts'
import { confettiTarget } from '../targets/confetti.ts'
import { newDirectGuest } from '../targets/send-direct.ts'
import { UploadError, type Guest, type Target } from '../targets/target.ts'
import { MB } from '../units.ts'
import type { Options, Scenario } from './scenario.ts'

/** 5,000 guests arrive within two minutes. */
const MS_BETWEEN_ARRIVALS = 24
const PHOTOS_BEFORE = 60
const PHOTOS_PER_GUEST = 2
const PHOTO_SIZE = { width: 1_100, quality: 80 }
// As the page: no new photo shows while the media worker is paused.
const INTERVAL_MS = 2_500
const QUIET_INTERVAL_MS = 10_000
const QUIET_AFTER_MS = 30_000
/** How long the viewers are measured after the last photo has arrived. */
const LOOK_ON_MS = 60_000

type Poll = Awaited<ReturnType<GalleryViewer['poll']>>

const figuresOfPolls = (polls: readonly Poll[], when: string): Record<string, number> => ({
  [`polls ${when}`]: polls.length,
  [`p95 ms of a poll ${when}`]: percentile(
    polls.map(({ ms }) => ms),
    0.95,
  ),
  [`bytes a poll ${when}`]: polls.reduce((sum, { bytes }) => sum + bytes, 0) / polls.length,
})
const countFailed = (polls: readonly Poll[]): number =>
  polls.filter(({ status }) => status !== 200 && status !== 304).length

/** Returns figures by name. */
const runRound = async ({ guests, profiles }: Options): Promise<Record<string, number>> => {
  const benchSystem = await startBenchSystem({ profiles })
  const { system, idleBytes } = benchSystem
  const api = system.url('gateway')
  const { event, listUploads } = await createGalleryEvent({ ...benchSystem, api }, PHOTOS_BEFORE)
  const createPhotos = await createSmallPhotoFactory(PHOTO_SIZE)

  const openPage = async (): Promise<string> => {
    const response = await fetch(`${api}/api/events/${event._id}`).catch((error: unknown) => {
      throw new UploadError(0, { body: String(error) })
    })
    const body = await response.text()
    const token = response.headers.get('X-Guest-Token')
    if (!response.ok || !token)
      throw new UploadError(response.status, {
        retryAfter: response.headers.get('Retry-After') ?? undefined,
        body,
      })
    return token
  }
  let polls: Poll[] = []
  const viewers: Promise<void>[] = []
  let hasEnded = false
  const look = async (guestToken: string): Promise<void> => {
    const viewer = openGalleryViewer(api, event._id, guestToken)
    const openedAt = performance.now()
    while (!hasEnded) {
      polls.push(await viewer.poll())
      await sleep(performance.now() - openedAt < QUIET_AFTER_MS ? INTERVAL_MS : QUIET_INTERVAL_MS)
    }
    viewer.close()
  }
  /** Every second one looks at the gallery from the arrival on. */
  const newGuest = (number: number): Guest => {
    const arrive = async (): Promise<Guest> => {
      const guestToken = await openPage()
      if (number % 2 === 0) viewers.push(look(guestToken))
      return newDirectGuest(api, { eventId: event._id, photoCredit: `Guest ${number}` }, {}, guestToken)
    }
    let arrived: Promise<Guest> | undefined
    return {
      filesAtOnce: PHOTOS_PER_GUEST,
      send: async (file) => {
        arrived ??= arrive().catch((error: unknown) => {
          arrived = undefined
          throw error
        })
        await (await arrived).send(file)
      },
      close: () => void arrived?.then((guest) => guest.close()),
    }
  }
  const target: Target = {
    ...confettiTarget('Confetti', benchSystem, { withMedia: false }),
    prepare: () => Promise.resolve(),
    newGuest,
  }

  let sent: readonly GuestFile[] = []
  const { files, seconds, rejections, failed, usage, acknowledgedMs } = await runWorkload(target, {
    guests,
    filesPerGuest: PHOTOS_PER_GUEST,
    rampMs: guests * MS_BETWEEN_ARRIVALS,
    createFiles: (count) => (sent = createPhotos(count)),
  })
  const pollsMeanwhile = polls
  polls = []
  const readUsage = measureProcesses(target.processes)
  await sleep(LOOK_ON_MS)
  const pollsAfter = polls
  const usageAfter = readUsage()
  hasEnded = true
  await Promise.all(viewers)
  const listed = new Set((await listUploads()).map(({ sha256 }) => sha256))
  await target.stop()

  const bytesAfter = pollsAfter.reduce((sum, { bytes }) => sum + bytes, 0)
  const names = ['gateway', 'uploads'] as const
  return {
    'photos/s': files / seconds,
    'KB a photo': (sent[0]?.size ?? 0) / 1_000,
    'p95 s to acknowledgement': percentile(acknowledgedMs, 0.95) / 1_000,
    ...Object.fromEntries(Object.entries(rejections).map(([status, count]) => [`rejected ${status}`, count])),
    'responses 429':
      (rejections['429'] ?? 0) +
      [...pollsMeanwhile, ...pollsAfter].filter(({ status }) => status === 429).length,
    lost: failed + sent.filter(({ sha256 }) => !listed.has(sha256)).length,
    viewers: viewers.length,
    ...figuresOfPolls(pollsMeanwhile, 'meanwhile'),
    ...figuresOfPolls(pollsAfter, 'afterwards'),
    'failed polls': countFailed(pollsMeanwhile) + countFailed(pollsAfter),
    'MB an hour and viewer afterwards': ((bytesAfter / viewers.length) * 3_600_000) / LOOK_ON_MS / MB,
    'MB above idle, gateway and uploads together': names.reduce(
      (sum, name) => sum + ((usage[name]?.peakBytes ?? 0) - idleBytes(name)) / MB,
      0,
    ),
    ...Object.fromEntries(
      Object.entries(usage).map(([name, { cpuSeconds }]) => [`${name}: CPU s meanwhile`, cpuSeconds]),
    ),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [
          `${name}: CPU ms a poll afterwards`,
          ((usageAfter[name]?.cpuSeconds ?? 0) * 1_000) / pollsAfter.length,
        ],
        [`${name}: peak MB`, (usage[name]?.peakBytes ?? 0) / MB],
      ]),
    ),
  }
}

export const hall5000: Scenario = {
  name: 'hall-5000',
  description: `5,000 guests behind one address arrive within two minutes and send ${PHOTOS_PER_GUEST} photos of 0.1 MB each, straight to blob storage; half of them look at the gallery of ${PHOTOS_BEFORE} photos all the time, and for a minute after the last photo has arrived. The media worker is paused.`,
  isLong: true,
  run: async (options) => {
    const round = await runRound(options)
    const figures = Object.fromEntries(Object.entries(round).map(([name, value]) => [name, [value]]))
    return {
      rows: [{ target: `${options.guests} guests`, figures }],
      thresholds: [
        { metric: 'Responses 429', values: figures['responses 429'] ?? [], limit: { atMost: 0 } },
        { metric: 'Photos that were lost', values: figures.lost ?? [], limit: { atMost: 0 } },
        { metric: 'Polls that failed', values: figures['failed polls'] ?? [], limit: { atMost: 0 } },
        {
          metric: 'p95 of a poll while photos come, in ms',
          values: figures['p95 ms of a poll meanwhile'] ?? [],
          limit: { atMost: 1_000 },
        },
      ],
    }
  },
}
