import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@confetti/test-kit/eventually'
import { recordMessages, type RecordedMessages } from '@confetti/test-kit/recorded-messages'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem } from '../bench-system.ts'
import { createPhotoFactory } from '../guest-files.ts'
import { createWallKey, hideUpload, openWallPage } from '../live-wall.ts'
import { mapConcurrently } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { percentile } from '../statistics.ts'
import { newFormGuest } from '../targets/form-guest.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const GUESTS = 50
const FILES_PER_GUEST = 4
/** Between two photos of a guest, so that the media worker keeps up: what is measured is the delay until the wall. */
const PAUSE_MS = 30_000
const HIDDEN = 20
const TIMEOUT_MS = 120_000

/** The time of the first message of a type about each upload. */
const timesOf = (
  messages: RecordedMessages,
  type: 'upload.completed.v1' | 'upload.changed.v1',
): ReadonlyMap<string, number> =>
  new Map(
    messages
      .ofType(type)
      .toReversed()
      .map(({ time, data }) => [data.uploadId, new Date(time).getTime()]),
  )

/** 50 guests send photos to an event with a live wall; then an organiser hides some. */
export const wall: Scenario = {
  name: 'wall',
  description: `${GUESTS} guests each send ${FILES_PER_GUEST} photos of up to 1 MB, one every ${PAUSE_MS / 1_000} s, to an event whose live wall is open; afterwards ${HIDDEN} photos are hidden one by one. The times are those of the system's messages and of the wall's list.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSystem = await startBenchSystem({ profiles })
    const { system } = benchSystem
    const api = system.url('gateway')
    const headers = await signIn(api, benchSystem.admin)
    const createFiles = await createPhotoFactory({ maxBytes: 1 * MB })
    await Promise.all(system.replicas('media').map((worker) => worker.restart()))
    const messages = await recordMessages(benchSystem)
    const figures: Record<string, number[]> = {}
    const add = (name: string, values: readonly number[], share: number): void => {
      figures[name] = [...(figures[name] ?? []), percentile(values, share)]
    }
    for (let round = 0; round < rounds; round += 1) {
      const { event } = await createTestEvent(api, 'Wall', benchSystem.admin)
      const eventId = event._id
      const key = await createWallKey(api, eventId, headers)
      const page = await openWallPage(api, { eventId, key })
      const files = createFiles(GUESTS * FILES_PER_GUEST)
      const guests = Array.from({ length: GUESTS }, (_, index) => index)
      await mapConcurrently(guests, GUESTS, async (number) => {
        const guest = newFormGuest(api, { eventId, photoCredit: `Guest ${number}` })
        await sleep((PAUSE_MS * number) / GUESTS)
        for (let sent = 0; sent < FILES_PER_GUEST; sent += 1) {
          const file = files[number * FILES_PER_GUEST + sent]
          const nextAt = performance.now() + PAUSE_MS
          if (file) await guest.send(file)
          await sleep(Math.max(0, nextAt - performance.now()))
        }
        guest.close()
      })
      await eventually(() => page.shownAt.size === files.length, 'all photos on the wall', TIMEOUT_MS)
      const shown = [...page.shownAt]
      const since = (times: ReadonlyMap<string, number>): number[] =>
        shown.map(([id, at]) => at - (times.get(id) ?? at))
      for (const [name, times] of [
        ['stored to wall', since(timesOf(messages, 'upload.completed.v1'))],
        ['ready to wall', since(timesOf(messages, 'upload.changed.v1'))],
      ] as const) {
        add(`${name} p50 ms`, times, 0.5)
        add(`${name} p95 ms`, times, 0.95)
      }

      const goneMs: number[] = []
      for (const [id] of shown.slice(0, HIDDEN)) {
        await hideUpload(api, { eventId, uploadId: id }, headers)
        const hiddenAt = Date.now()
        await eventually(() => page.goneAt.has(id), 'a hidden photo being gone', TIMEOUT_MS)
        goneMs.push((page.goneAt.get(id) ?? 0) - hiddenAt)
      }
      add('hidden to gone p50 ms', goneMs, 0.5)
      add('hidden to gone p95 ms', goneMs, 0.95)
      await page.close()
      print(`  round ${round + 1} is done`)
    }
    await messages.close()
    await benchSystem.stop()
    const limits = [
      ['From ready to the wall, p95 in ms', 'ready to wall p95 ms'],
      ['From hidden to gone, p95 in ms', 'hidden to gone p95 ms'],
    ] as const
    return {
      rows: [{ target: 'the wall', figures }],
      thresholds: limits.map(([metric, name]) => ({
        metric,
        values: figures[name] ?? [],
        limit: { atMost: 3_000 },
      })),
    }
  },
}
