import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveFollower } from '../../live-follower.ts'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem, type BenchSystem } from '../bench-system.ts'
import { createSmallPhotoFactory } from '../guest-files.ts'
import { createWallKey, followWall, hideUpload } from '../live-wall.ts'
import { measureProcesses, residentBytes } from '../processes.ts'
import { mapConcurrently, sendAll } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { percentile } from '../statistics.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const STREAMS = 2_000
const EVENTS = 5
/** Uploads of each event that are hidden in each of the two parts. */
const CHANGES = 20
const CHANGE_INTERVAL_MS = 500
const OPENED_AT_ONCE = 50
const TIMEOUT_MS = 60_000

interface FollowedEvent {
  eventId: string
  key: string
  /** Those that are visible. */
  uploadIds: string[]
  /** When each of the others was hidden. */
  hiddenAt: Map<string, number>
}

interface Follower {
  event: FollowedEvent
  stream: LiveFollower
}

const createFollowedEvent = async (
  api: string,
  { admin }: BenchSystem,
  headers: Record<string, string>,
): Promise<FollowedEvent> => {
  const createPhotos = await createSmallPhotoFactory()
  const testEvent = await createTestEvent(api, 'Followed', admin)
  const eventId = testEvent.event._id
  await sendAll(api, testEvent, createPhotos(2 * CHANGES))
  const uploadIds = (await testEvent.listUploads()).map(({ _id }) => _id)
  return { eventId, key: await createWallKey(api, eventId, headers), uploadIds, hiddenAt: new Map() }
}

/** Hides the next upload of each event. */
const hideNext = async (
  api: string,
  events: readonly FollowedEvent[],
  headers: Record<string, string>,
): Promise<void> => {
  for (const { eventId, uploadIds, hiddenAt } of events) {
    const uploadId = uploadIds.pop() ?? ''
    hiddenAt.set(uploadId, Date.now())
    await hideUpload(api, { eventId, uploadId }, headers)
  }
  await sleep(CHANGE_INTERVAL_MS)
}

/** When a follower received the event of each upload that was hidden. */
const readHidden = ({ stream }: Follower): Map<string, number[]> => {
  const times = new Map<string, number[]>()
  for (const { name, data, at } of stream.events) {
    if (name !== 'upload.hidden') continue
    const { uploadId } = data as { uploadId: string }
    times.set(uploadId, [...(times.get(uploadId) ?? []), at])
  }
  return times
}

/** How many hidden uploads a follower has neither received nor loaded since. */
const countMissed = (follower: Follower): number => {
  const received = readHidden(follower)
  const loadedAt = follower.stream.events.findLast(({ name }) => name === 'reset')?.at ?? 0
  return [...follower.event.hiddenAt].filter(([id, at]) => at > loadedAt && !received.has(id)).length
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const sumMissed = (followers: readonly Follower[]): number => sum(followers.map(countMissed))
const sumRepeated = (followers: readonly Follower[]): number =>
  sum(followers.flatMap((follower) => [...readHidden(follower).values()].map(({ length }) => length - 1)))
const delaysOf = (followers: readonly Follower[]): number[] =>
  followers.flatMap((follower) =>
    [...readHidden(follower)].map(([id, [at = 0]]) => at - (follower.event.hiddenAt.get(id) ?? at)),
  )

/** Waits until nothing is missed: streams reconnect after a random delay. Resolves with what is missed even so. */
const waitForAll = async (followers: readonly Follower[]): Promise<number> => {
  const deadline = Date.now() + TIMEOUT_MS
  while (sumMissed(followers) > 0 && Date.now() < deadline) await sleep(CHANGE_INTERVAL_MS)
  return sumMissed(followers)
}

/** Follows events at one replica, then moves to another. Returns figures by name. */
const runRound = async (profiles: string | undefined): Promise<Record<string, number>> => {
  const benchSystem = await startBenchSystem({
    profiles,
    replicas: { live: 2 },
    environment: { live: { MAX_STREAMS_PER_EVENT: String(STREAMS / EVENTS) } },
  })
  const { system } = benchSystem
  const api = system.url('gateway')
  const headers = await signIn(api, benchSystem.admin)
  const [first, second] = system.replicas('live')
  const [gateway] = system.replicas('gateway')
  if (!first || !second || !gateway) throw new Error('A replica is missing')
  const events: FollowedEvent[] = []
  for (let number = 0; number < EVENTS; number += 1)
    events.push(await createFollowedEvent(api, benchSystem, headers))
  const hide = async (): Promise<void> => {
    for (let change = 0; change < CHANGES; change += 1) await hideNext(api, events, headers)
  }

  await second.stop()
  const idleBytes = residentBytes([first.pid()])
  const readUsage = measureProcesses({ live: [first.pid()], gateway: [gateway.pid()] })
  const followers: Follower[] = []
  const places = Array.from({ length: STREAMS / EVENTS }, () => events).flat()
  await mapConcurrently(places, OPENED_AT_ONCE, async (event) => {
    followers.push({ event, stream: await followWall(api, event) })
  })
  const opened = readUsage()
  await hide()
  const missedAtOne = await waitForAll(followers)
  const usage = readUsage()
  const delays = delaysOf(followers)
  const cpuMs = (name: string): number =>
    (((usage[name]?.cpuSeconds ?? 0) - (opened[name]?.cpuSeconds ?? 0)) * 1_000) / (CHANGES * EVENTS)

  await second.restart()
  await Promise.all([hide(), first.stop().then(() => first.restart())])
  const missedWhileMoving = await waitForAll(followers)
  const repeated = sumRepeated(followers)
  await Promise.all(followers.map(({ stream }) => stream.stop()))
  await benchSystem.stop()
  return {
    'delay p50 ms': percentile(delays, 0.5),
    'delay p95 ms': percentile(delays, 0.95),
    'live: CPU ms for each change of an event': cpuMs('live'),
    'gateway: CPU ms for each change of an event': cpuMs('gateway'),
    'live: peak MB': (usage.live?.peakBytes ?? 0) / MB,
    'live: MB above idle': ((usage.live?.peakBytes ?? 0) - idleBytes) / MB,
    'gateway: peak MB': (usage.gateway?.peakBytes ?? 0) / MB,
    missed: missedAtOne + missedWhileMoving,
    repeated,
  }
}

/** 2,000 streams follow events whose uploads are hidden one by one; then all of them move to another replica. */
export const streams: Scenario = {
  name: 'streams',
  description: `${STREAMS} live walls follow ${EVENTS} events at one replica of live while ${CHANGES} uploads of each event are hidden; then as many again while a second replica is there and the first one is restarted. A change is missed if a stream receives neither its event nor a reset.`,
  run: async ({ rounds, profiles, print }) => {
    const figures: Record<string, number[]> = {}
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, value] of Object.entries(await runRound(profiles)))
        figures[name] = [...(figures[name] ?? []), value]
      print(`  round ${round + 1} is done`)
    }
    const { missed = [], repeated = [], ...others } = figures
    return {
      rows: [{ target: `${STREAMS} streams`, figures: others }],
      thresholds: [
        { metric: 'Changes that a stream has missed', values: missed, limit: { atMost: 0 } },
        { metric: 'Changes that a stream has received twice', values: repeated, limit: { atMost: 0 } },
        {
          metric: 'Memory of live with all streams, above idle, in MB',
          values: figures['live: MB above idle'] ?? [],
          limit: { atMost: 100 },
        },
      ],
    }
  },
}
