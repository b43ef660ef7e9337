import { setTimeout as sleep } from 'node:timers/promises'
import { startBenchSite } from '../bench-site.ts'
import { createGalleryEvent } from '../gallery-event.ts'
import { openGalleryViewer } from '../gallery-viewer.ts'
import { measureProcesses } from '../processes.ts'
import { mapConcurrently } from '../send-all.ts'
import { percentile } from '../statistics.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const VIEWERS = 2_000
const PHOTOS = 60
/** As an idle page polls. */
const INTERVAL_MS = 10_000
const POLLS = 6
const OPENED_AT_ONCE = 50

/** Thousands of guests look at a gallery in which nothing changes. Returns figures by name. */
const runRound = async (profiles: string | undefined): Promise<Record<string, number>> => {
  const site = await startBenchSite({ profiles })
  const { api, system } = site
  const { event } = await createGalleryEvent(site, PHOTOS)
  const newToken = async (): Promise<string> => {
    const response = await fetch(`${api}/api/events/${event._id}`)
    await response.text()
    return response.headers.get('X-Guest-Token') ?? ''
  }
  const pidsOf = (...names: Parameters<typeof system.replicas>[0][]): number[] =>
    names.flatMap((name) => system.replicas(name).map((replica) => replica.pid()))

  const viewers: ReturnType<typeof openGalleryViewer>[] = []
  const firstBytes: number[] = []
  await mapConcurrently(Array.from({ length: VIEWERS }), OPENED_AT_ONCE, async () => {
    const viewer = openGalleryViewer(api, event._id, await newToken())
    viewers.push(viewer)
    firstBytes.push((await viewer.poll()).bytes)
  })
  const readUsage = measureProcesses({
    gateway: pidsOf('gateway'),
    uploads: pidsOf('uploads'),
    'other services': pidsOf('auth', 'events', 'contact', 'notifications', 'live'),
    ...site.backendProcesses,
  })
  const polls: { status: number; ms: number; bytes: number }[] = []
  await Promise.all(
    viewers.map(async (viewer, number) => {
      await sleep((INTERVAL_MS * number) / VIEWERS)
      for (let poll = 0; poll < POLLS; poll += 1) {
        polls.push(await viewer.poll())
        await sleep(INTERVAL_MS)
      }
    }),
  )
  const usage = readUsage()
  for (const viewer of viewers) viewer.close()
  await site.stop()
  const cpuMs = (name: string): number => ((usage[name]?.cpuSeconds ?? 0) * 1_000) / polls.length
  const bytes = polls.reduce((sum, poll) => sum + poll.bytes, 0) / polls.length
  return {
    'p95 ms': percentile(
      polls.map(({ ms }) => ms),
      0.95,
    ),
    'bytes of the first page': percentile(firstBytes, 0.5),
    'bytes a poll': bytes,
    'MB an hour and viewer': (bytes * 3_600_000) / INTERVAL_MS / MB,
    failed: polls.filter(({ status }) => status !== 200 && status !== 304).length,
    'gateway: CPU ms a poll': cpuMs('gateway'),
    'uploads: CPU ms a poll': cpuMs('uploads'),
    'other services: CPU ms a poll': cpuMs('other services'),
    'database: CPU ms a poll': cpuMs('database'),
    'gateway: peak MB': (usage.gateway?.peakBytes ?? 0) / MB,
    'uploads: peak MB': (usage.uploads?.peakBytes ?? 0) / MB,
  }
}

export const galleryViewers: Scenario = {
  name: 'gallery-viewers',
  description: `${VIEWERS} guests behind one address look at a gallery of ${PHOTOS} photos in which nothing changes, each on a kept connection, and ask every ${INTERVAL_MS / 1_000} s, as the page does then.`,
  run: async ({ rounds, profiles, print }) => {
    const figures: Record<string, number[]> = {}
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, value] of Object.entries(await runRound(profiles)))
        figures[name] = [...(figures[name] ?? []), value]
      print(`  round ${round + 1} is done`)
    }
    const ofServices = ['gateway', 'uploads', 'other services'].map(
      (name) => figures[`${name}: CPU ms a poll`] ?? [],
    )
    return {
      rows: [{ target: `${VIEWERS} viewers`, figures }],
      thresholds: [
        { metric: 'Polls that failed', values: figures.failed ?? [], limit: { atMost: 0 } },
        {
          metric: 'CPU time of all services, in ms a poll',
          values: (ofServices[0] ?? []).map((_, round) =>
            ofServices.reduce((sum, values) => sum + (values[round] ?? 0), 0),
          ),
          limit: { atMost: 0.4 },
        },
        { metric: 'Bytes of an answer', values: figures['bytes a poll'] ?? [], limit: { atMost: 600 } },
        {
          metric: 'MB an hour and viewer',
          values: figures['MB an hour and viewer'] ?? [],
          limit: { atMost: 1 },
        },
      ],
    }
  },
}
