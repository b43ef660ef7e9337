import { AppError } from '@confetti/service-kit'
import { createAccountPromises } from './accounts.ts'
import { createAsked } from './asked.ts'
import { EVENTS, type Command } from './commands.ts'
import { createGuests } from './guests.ts'
import { createMembers } from './members.ts'
import { createOutboxPromises } from './outboxes.ts'
import { createOwnLinkPromises } from './own-links.ts'
import { perform } from './perform.ts'
import { BrokenPromise, createPromises } from './promises.ts'
import { createQuotaPromises } from './quotas.ts'
import { createReports } from './reports.ts'
import { createRandom, createScheduler, NoAnswerError, type Process } from './scheduler.ts'
import { createSessions } from './sessions.ts'
import { createWorld, REPLICAS } from './world.ts'

const STARTS_AT = new Date('2026-06-20T18:00:00Z')
const COMMANDS_AT_ONCE = 4
const MAX_STEPS_BETWEEN = 30
/** One timer in so many fires before a step that could be taken: the network is slow then. */
const SLOWNESS = 40
/** Bounds how far one timer moves the clock while steps wait for their turn: the next one may be days away. */
const MAX_SLOWNESS_MS = 60_000
/** Within this time after the last outage, everything must have been caught up with. */
const SETTLING_MS = 3 * 3_600_000
const STEPS_BETWEEN_LOOKS = 20
/** Whoever has no answer after so many steps will never have one. */
const MAX_STEPS_OF_COMMANDS = 50_000
const DAY_MS = 25 * 3_600_000
/** Until the sweep has removed what was never completed, and what could not be removed at first. */
const DAYS = 3
/**
 * A recount counts twice what others save within the same second. As a day is one jump of the clock, there may be such a thing on
 * the first day.
 */
const COUNTED_ON_DAY = 2

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

export interface Evening {
  /** What has happened, step by step. */
  trace: readonly string[]
  steps: number
  /** What went wrong: a promise that was broken, or an error that nobody expects. */
  failure?: Error
}

/**
 * Plays an evening: people do what the commands say, several at once, while services die and dependencies go away. What they
 * were promised is held against what the services answer. The same commands with the same seed are the same evening.
 */
export const playEvening = async (commands: readonly Command[], seed: number): Promise<Evening> => {
  const random = createRandom(seed)
  const scheduler = createScheduler(random, STARTS_AT)
  const { note, runAs, trace } = scheduler
  const world = createWorld(scheduler, random)
  const asked = createAsked(world)
  const quotas = createQuotaPromises(world)
  const promises = createPromises(world, asked)
  const outboxes = createOutboxPromises(world)
  const ownLinks = createOwnLinkPromises(world, promises)
  const guests = createGuests(world, { promises, asked, ownLinks }, random)
  const reports = createReports(world, { promises, asked })
  const sessions = createSessions(world)
  const accountPromises = createAccountPromises(world)
  const members = createMembers(world, { promises, accountPromises, sessions })
  const crowd: Process = { name: 'people', isAlive: true }
  let steps = 0
  let failure: Error | undefined
  const going = new Set<Promise<void>>()

  const watch = (): void => {
    promises.watch()
    asked.watch()
    outboxes.watch()
  }

  /** Lets everything happen in its order until `work` is done. */
  const finish = async <T>(work: () => Promise<T>): Promise<T> => {
    const state = { isDone: false }
    const done = runAs(crowd, work).finally(() => {
      state.isDone = true
    })
    done.catch(() => undefined)
    for (;;) {
      await scheduler.settle()
      watch()
      if (state.isDone) return done
      if (scheduler.countWaiting() > 0) await scheduler.giveAll()
      else if (!(await scheduler.fireTimer())) throw new Error('Nothing happens any more')
    }
  }

  /** Lets one thing happen. */
  const step = async (): Promise<void> => {
    if (failure) throw failure
    steps += 1
    watch()
    if (scheduler.countWaiting() > 0 && !random.isOnce(SLOWNESS)) await scheduler.giveTurn()
    else await scheduler.fireTimer()
  }

  const begin = (command: Command, eventIds: readonly string[]): void => {
    note(`>>> ${JSON.stringify(command)}`)
    const done = runAs(crowd, () => perform(command, eventIds, { world, guests, members, reports, sessions }))
      .catch((error: unknown) => {
        if (error instanceof AppError || error instanceof NoAnswerError) note(`  refused: ${String(error)}`)
        else failure ??= toError(error)
      })
      .finally(() => going.delete(done))
    going.add(done)
  }

  /** Lets things happen until at most `count` commands are going on. */
  const waitForCommands = async (count: number): Promise<void> => {
    for (let left = MAX_STEPS_OF_COMMANDS; going.size > count; left -= 1) {
      if (left === 0) throw new BrokenPromise('Somebody waits for an answer for ever')
      await step()
    }
  }

  /** Until no message is on its way, and nothing waits to be published or erased. */
  const settle = async (): Promise<void> => {
    const isSettled = (): boolean =>
      world.isQuiet() &&
      world.databases.events.read('events').every(({ _id }) => !promises.deletedEvents.has(String(_id)))
    for (const end = Date.now() + SETTLING_MS; !isSettled() && Date.now() < end;)
      for (let count = 0; count < STEPS_BETWEEN_LOOKS; count += 1) await step()
    if (!isSettled()) throw new BrokenPromise(`It never ends: ${world.describeWork()}`)
  }

  const pass = async (ms: number): Promise<void> => {
    await scheduler.jump(ms)
    while (scheduler.countWaiting() > 0) {
      await scheduler.giveAll()
      watch()
    }
  }

  /** Somebody sends a file, and all replicas of uploads crash before they have saved that it counts. */
  const crashBeforeCounting = async (eventId: string): Promise<void> => {
    if (promises.deletedEvents.has(eventId)) return
    note(`=== the last file of ${eventId} is sent, then all of uploads crashes`)
    const refusal = await finish(() => guests.sendAnother(eventId))
    if (refusal) note(`  refused: ${refusal}`)
    for (let replica = 0; replica < REPLICAS; replica += 1) world.crash('uploads')
    await finish(world.startMissing)
    await settle()
  }

  const checkQuota = async (eventId: string): Promise<void> => {
    if (promises.deletedEvents.has(eventId)) return
    await quotas.check(eventId, {
      send: () => finish(() => guests.sendAnother(eventId)),
      deleteOne: () => finish(() => members.deleteOne(eventId)),
      pass,
    })
  }

  const play = async (): Promise<void> => {
    await finish(world.prepare)
    await finish(world.startMissing)
    setInterval(() => undefined, MAX_SLOWNESS_MS)
    await finish(members.createAccounts)
    const eventIds: string[] = []
    while (eventIds.length < EVENTS) eventIds.push(await finish(members.createEvent))
    for (const command of commands) {
      await waitForCommands(COMMANDS_AT_ONCE - 1)
      for (let count = random.below(MAX_STEPS_BETWEEN); count > 0; count -= 1) await step()
      begin(command, eventIds)
      await scheduler.settle()
    }
    note('=== all is well again')
    begin({ kind: 'recover' }, eventIds)
    await waitForCommands(0)
    await settle()
    for (const eventId of eventIds) await crashBeforeCounting(eventId)
    for (let day = 1; day <= DAYS; day += 1) {
      await pass(DAY_MS)
      await settle()
      if (day === COUNTED_ON_DAY) for (const eventId of eventIds) await checkQuota(eventId)
    }
    await promises.checkAll(eventIds)
    await accountPromises.check()
    outboxes.check()
    await ownLinks.check({ isOver: true })
    await finish(sessions.check)
  }

  try {
    await play()
    return { trace, steps }
  } catch (error) {
    return { trace, steps, failure: toError(error) }
  } finally {
    world.uninstall()
    scheduler.uninstall()
  }
}
