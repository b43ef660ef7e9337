import { setTimeout as sleep } from 'node:timers/promises'
import type { Upload } from '@confetti/contracts'
import { AppError, isUnavailable } from '@confetti/service-kit'
import { createConnectionPool, createMemoryDatabase } from '@confetti/test-kit/memory-database'
import mongoose from 'mongoose'
import { createMailServer } from './mail-server.ts'
import { createMessages } from './messages.ts'
import { NoAnswerError, type Process, type Random, type Scheduler } from './scheduler.ts'
import { createStarts, serviceNames, type Capabilities, type ServiceName } from './services.ts'
import { createStorage } from './storage.ts'

// The services that hold state, two replicas of each, on one database each, one storage account, one broker and one mail
// server.

export const REPLICAS = 2
/** How often people make a call that is not answered. */
const MAX_CALLS = 6

/**
 * How long the model keeps what a call may have changed. An answer that comes later is not heard, and a call without an
 * answer counts as possible for this time.
 */
export const LATE_MS = 60_000

const forEachService = <T>(make: (name: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as Record<ServiceName, T>

const pools = forEachService(() => createConnectionPool())

/** A process of a service. */
interface Replica<Capabilities> extends Process {
  capabilities: Capabilities
  /** Rejects when the process dies. */
  died: Promise<never>
  die: () => void
}

/** What may be gone for a time. */
export type Dependency = 'blobs' | 'broker' | 'mail server' | `database of ${ServiceName}`

export const createWorld = (scheduler: Scheduler, random: Random) => {
  const { runAs, turn, note } = scheduler
  const outages = new Set<Dependency>()
  const storage = createStorage(scheduler, () => outages.has('blobs'))
  const mailServer = createMailServer(scheduler, () => outages.has('mail server'))
  const messages = createMessages(scheduler)
  const databases = forEachService((name) => createMemoryDatabase(pools[name]))
  const starts = createStarts(scheduler, {
    storage,
    mailServer,
    broker: messages.options,
    connectDatabase: (name) =>
      databases[name].connect(async (label) => {
        await turn(label)
        const isGone = outages.has(`database of ${name}`) && !scheduler.currentProcess()?.isObserver
        if (isGone) throw new mongoose.mongo.MongoNetworkError('The database is gone')
      }),
  })

  const replicas = forEachService((): unknown[] => []) as {
    [Name in ServiceName]: Replica<Capabilities<Name>>[]
  }
  let started = 0
  const start = async (name: ServiceName): Promise<void> => {
    started += 1
    const process: Process = { name: `${name}-${started}`, isAlive: true }
    let reject = (_: Error): void => undefined
    const died = new Promise<never>((_, rejectDied) => {
      reject = rejectDied
    })
    died.catch(() => undefined)
    const replica = Object.assign(process, {
      died,
      die: () => {
        process.isAlive = false
        messages.cut(process)
        reject(new NoAnswerError(`${process.name} has died`))
      },
    })
    const running = replicas[name] as Replica<unknown>[]
    const capabilities = await runAs(process, () => Promise.race([starts[name](), died]))
    running.push(Object.assign(replica, { capabilities }))
  }

  /** Starts what is not running. A start that fails because something is gone is tried again. */
  const startMissing = async (): Promise<void> => {
    for (const name of serviceNames)
      while (replicas[name].length < REPLICAS)
        await start(name).catch(async (error: unknown) => {
          note(`  ${name} does not start: ${String(error)}`)
          await sleep(5_000)
        })
  }

  /** Calls a replica of a service, as a request over a network does. Throws `NoAnswerError`. */
  const ask = async <Name extends ServiceName, T>(
    name: Name,
    label: string,
    work: (capabilities: Capabilities<Name>) => Promise<T>,
  ): Promise<T> => {
    await turn(`asks ${name}: ${label}`)
    const [first, ...others] = replicas[name]
    if (!first) throw new NoAnswerError(`No ${name} is running`)
    const replica = random.pick([first, ...others])
    const startedAt = Date.now()
    const answer = Promise.race([runAs(replica, () => work(replica.capabilities)), replica.died])
    await answer.catch(() => undefined)
    await turn(`hears of ${name}: ${label}`)
    const given = await answer
    // Some commands let more time pass than a call may take.
    if (Date.now() >= startedAt + LATE_MS) throw new NoAnswerError(`${replica.name} has answered too late`)
    return given
  }

  /** Repeats a call of people until it is answered; undefined if it was not, after all tries. Throws refusals. */
  const insist = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    for (let calls = 0; calls < MAX_CALLS; calls += 1)
      try {
        return await call()
      } catch (error) {
        // A call that was not answered may still run, and no limit is used up.
        const isStillRunning = error instanceof AppError && error.kind === 'too_many_requests'
        if (!(error instanceof NoAnswerError || isUnavailable(error) || isStillRunning)) throw error
        note(`  people: ${String(error)}`)
        await sleep(1_000 + random.below(10_000))
      }
    return undefined
  }

  /** Repeats a call as `insist` does: whether it was answered. */
  const isAnswered = async (call: () => Promise<unknown>): Promise<boolean> =>
    (await insist(() => call().then(() => true))) ?? false

  const realFetch = globalThis.fetch
  const answer = async (work: Promise<unknown>, code: string): Promise<Response> => {
    try {
      return Response.json(await work)
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
      return Response.json({ message: error.message, code, requestId: '-' }, { status: 404 })
    }
  }
  /** What services ask each other. */
  globalThis.fetch = ((address: URL) => {
    const id = address.pathname.split('/')[3]
    const since = address.searchParams.get('since') ?? undefined
    if (address.hostname === 'auth')
      return answer(
        id === undefined
          ? ask('auth', 'changes', ({ accounts }) => accounts.listChanges(since))
          : ask('auth', 'account', ({ accounts }) => accounts.get(id)),
        'user_not_found',
      )
    return answer(
      id === undefined
        ? ask('events', 'changes', ({ viewing }) => viewing.listChanges(since))
        : ask('events', 'copy', ({ viewing }) => viewing.getEventCopy(id)),
      'event_not_found',
    )
  }) as typeof fetch

  /** Looks through the eyes of a service, without a step. */
  const look = async <Name extends ServiceName, T>(
    name: Name,
    work: (capabilities: Capabilities<Name>) => Promise<T>,
  ): Promise<T> => {
    for (let calls = 1; ; calls += 1) {
      const [replica] = replicas[name]
      if (!replica) throw new NoAnswerError(`No ${name} is running`)
      const observer = { name: 'observer', isAlive: true, isObserver: true }
      try {
        return await Promise.race([runAs(observer, () => work(replica.capabilities)), replica.died])
      } catch (error) {
        // What it waited for was an answer that others of the replica had asked for: they have died, or got none.
        const isOfOthers = !replica.isAlive || isUnavailable(error)
        if (!isOfOthers || calls === MAX_CALLS) throw error
      }
    }
  }

  /** Takes one of the running replicas. */
  const pickReplica = (name: ServiceName): Replica<unknown> | undefined => {
    const [first, ...others] = replicas[name]
    return first && random.pick([first, ...others])
  }

  /** Where there are such documents, in the databases of all services. */
  const findDocuments = (isWanted: (document: Record<string, unknown>) => boolean): string[] =>
    serviceNames.flatMap((name) =>
      databases[name].names().flatMap((collection) =>
        databases[name]
          .read(collection)
          .filter(isWanted)
          .map(({ _id }) => `${name}/${collection}/${String(_id)}`),
      ),
    )
  const listUnpublished = (): string[] => findDocuments(({ outboxPending }) => outboxPending === true)

  return {
    databases,
    storage,
    mailServer,
    ask,
    insist,
    isAnswered,
    /** Creates what the services expect to be there. */
    prepare: async (): Promise<void> => {
      await storage.prepare()
      await messages.prepare()
    },
    startMissing,
    look,
    /** What an event has, as its organisers list it, without a step. */
    listUploads: async (eventId: string): Promise<Upload[]> =>
      (await look('uploads', ({ library }) => library.list({ _id: eventId } as never, {}))).body?.uploads ??
      [],
    /** Ends a replica, as if its machine had lost power. */
    crash: (name: ServiceName): void => {
      const replica = pickReplica(name)
      if (!replica) return
      note(`--- ${replica.name} dies`)
      replica.die()
      const running = replicas[name] as Replica<unknown>[]
      running.splice(running.indexOf(replica), 1)
    },
    /** Cuts the connections of a replica to the broker. */
    cut: (name: ServiceName): void => {
      const replica = pickReplica(name)
      if (replica) messages.cut(replica)
    },
    loseQueue: messages.loseQueue,
    isPublished: messages.isPublished,
    startOutage: (dependency: Dependency): void => {
      outages.add(dependency)
      if (dependency === 'broker') messages.stop()
    },
    /** Everything is there again. */
    recover: async (): Promise<void> => {
      outages.clear()
      messages.start()
      await startMissing()
    },
    wait: scheduler.jump,
    /** Whether all that was to be said between services has been said and handled. */
    isQuiet: (): boolean => messages.isIdle(serviceNames) && listUnpublished().length === 0,
    describeWork: (): string =>
      `${messages.describe(serviceNames)}; unpublished: ${listUnpublished().join(', ')}`,
    /** Where a text is found in the databases. */
    find: (text: string): string[] => findDocuments((document) => JSON.stringify(document).includes(text)),
    /** The queues of messages that a service has given up. */
    listDead: messages.listDead,
    uninstall: (): void => {
      for (const pool of Object.values(pools)) pool.release()
      globalThis.fetch = realFetch
    },
  }
}
export type World = ReturnType<typeof createWorld>
