import { listEventUploads, type Upload } from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startLiveFollower, type LiveFollower } from '../live-follower.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    ownBackends: ['rabbitmq'],
    replicas: { live: 2 },
    // Shorter than in production, to keep the scenarios fast.
    environment: { live: { STREAM_DRAIN_MS: '1000', RECONNECT_DELAY_MS: '200' } },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

/** The uploads that a page shows: it loads all at each `reset`, and adds those that it is notified of afterwards. */
const startPage = ({ event }: ScenarioContext) => {
  const shown = new Set<string>()
  const follower = startLiveFollower(harness.api, event._id, { token: harness.organiser.token })
  const readList = async (): Promise<void> => {
    const { body } = await call(harness.api, listEventUploads, {
      token: harness.admin.token,
      params: { eventId: event._id },
    })
    for (const { _id } of body.uploads as Upload[]) shown.add(_id)
  }
  let handled = 0
  const update = async (): Promise<Set<string>> => {
    const newEvents = follower.events.slice(handled)
    handled += newEvents.length
    if (newEvents.some(({ name }) => name === 'reset')) await readList()
    for (const id of follower.added()) shown.add(id)
    return shown
  }
  return { follower, update }
}

const waitForStreams = (followers: readonly LiveFollower[]): Promise<unknown> =>
  eventually(() => followers.every((follower) => follower.isConnected()), 'all streams being open')

const startPages = async (context: ScenarioContext, count: number) => {
  const pages = Array.from({ length: count }, () => startPage(context))
  await waitForStreams(pages.map(({ follower }) => follower))
  return pages
}
type Page = ReturnType<typeof startPage>

/** Sends photos, and waits until each page shows all uploads of the event. */
const expectAllShown = async (context: ScenarioContext, pages: readonly Page[]): Promise<void> => {
  await context.guest().send(await newPhoto())
  const { body } = await call(harness.api, listEventUploads, {
    token: harness.admin.token,
    params: { eventId: context.event._id },
  })
  const ids = (body.uploads as Upload[]).map(({ _id }) => _id)
  for (const { update } of pages)
    await eventually(async () => {
      const shown = await update()
      return ids.every((id) => shown.has(id))
    }, 'a page showing all photos')
}

const stopPages = async (pages: readonly Page[]): Promise<void> => {
  await Promise.all(pages.map(({ follower }) => follower.stop()))
}

test('When the broker is killed and restarted, then each open page gets a reset and misses no photo', () =>
  runScenario(harness, async (context) => {
    const pages = await startPages(context, 4)
    const countResets = ({ follower }: Page) => follower.events.filter(({ name }) => name === 'reset').length
    const before = pages.map(countResets)
    harness.backend('rabbitmq').signal('SIGKILL')
    await context.guest().send(await newPhoto())
    await harness.backend('rabbitmq').start()
    for (const [index, page] of pages.entries())
      await eventually(() => countResets(page) > (before[index] ?? 0), 'a reset of each page')
    await expectAllShown(context, pages)
    await stopPages(pages)
  }))

test('When a replica of live is killed, then its pages follow on at the other and miss no photo', () =>
  runScenario(harness, async (context) => {
    const pages = await startPages(context, 6)
    for (const replica of harness.system.replicas('live')) {
      await replica.stop('SIGKILL')
      await context.guest().send(await newPhoto())
      await expectAllShown(context, pages)
      await replica.restart()
    }
    await stopPages(pages)
  }))

test('When both replicas of live are restarted one by one while guests send, then every page shows every photo', () =>
  runScenario(harness, async (context) => {
    const pages = await startPages(context, 10)
    const restarted = new AbortController()
    const sendUntilRestarted = async (): Promise<void> => {
      const guest = context.guest()
      while (!restarted.signal.aborted) await guest.send(await newPhoto())
    }
    const sending = sendUntilRestarted()
    for (const replica of harness.system.replicas('live')) {
      expect(await replica.stop()).toBe(0)
      await replica.restart()
    }
    restarted.abort()
    await sending
    await expectAllShown(context, pages)
    await stopPages(pages)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
