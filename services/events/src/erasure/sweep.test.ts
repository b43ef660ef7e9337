import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { createSweep } from './sweep.ts'

const lists = ['listDue', 'listUnerased', 'listWithExpiredInvitations'] as const
const works = ['markDeleted', 'repeatDeletion', 'removeExpiredInvitations'] as const

const sweepOf = (store: object, stopping = new AbortController().signal) =>
  createSweep({
    config: { ERASURE_TIMEOUT_MS: 1 },
    events: store,
    dueChecks: { findLast: () => Promise.resolve(new Date()), add: () => Promise.resolve() },
    erasedIds: store,
    registry: new Registry(),
    clock: () => new Date(),
    stopping,
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)

/** A sweep of two events for each of its loops, of which calls with these names fail for the first one. */
const sweepWith = (...failing: readonly string[]) => {
  const done: string[] = []
  const record =
    (name: string) =>
    (first?: unknown): Promise<unknown> => {
      if (failing.includes(name) && (first === 'first' || !works.some((work) => work === name)))
        return Promise.reject(new Error(`${name} failed`))
      done.push([name, ...(typeof first === 'string' ? [first] : [])].join(' '))
      if (name === 'listChanges') return Promise.resolve({ events: [] })
      return Promise.resolve(lists.some((list) => list === name) ? ['first', 'second'] : undefined)
    }
  const store = new Proxy({}, { get: (_, name) => record(String(name)) })
  const run = sweepOf(store)
  return { run, done }
}

test.each(works)(
  'When %s fails for the first event, then the next one has its turn, and the task fails',
  async (work) => {
    const { run, done } = sweepWith(work)
    await expect(run()).rejects.toThrow('parts of the sweep failed')
    expect(done).toContain(`${work} second`)
    for (const other of works.filter((each) => each !== work))
      expect(done).toEqual(expect.arrayContaining([`${other} first`, `${other} second`]))
  },
)

test.each([...lists, 'listChanges', 'removeOld', 'findOldestDeletion'])(
  'When %s fails, then the other parts run, and the task fails',
  async (call) => {
    const { run, done } = sweepWith(call)
    await expect(run()).rejects.toThrow('parts of the sweep failed')
    for (const other of [...lists, 'listChanges', 'removeOld', 'findOldestDeletion auth'].filter(
      (each) => !each.startsWith(call),
    ))
      expect(done).toContain(other)
  },
)

test('When an event cannot be given a code, then the others are, and all are looked at again', async () => {
  const events = [{ _id: 'first' }, { _id: 'second' }, { _id: 'third', shortCode: 'ABCDEFGH' }]
  const given: string[] = []
  let isFailing = true
  const store = new Proxy(
    {
      listChanges: (position?: string) =>
        Promise.resolve(position ? { events: [] } : { events, position: '1' }),
      addShortCode: ({ _id }: { _id: string }) => {
        if (isFailing && _id === 'first') return Promise.reject(new Error('Not this one'))
        given.push(_id)
        return Promise.resolve()
      },
    },
    { get: (target, name) => Reflect.get(target, name) ?? (() => Promise.resolve([])) },
  )
  const run = sweepOf(store)
  await expect(run()).rejects.toThrow('parts of the sweep failed')
  expect(given).toEqual(['second'])
  isFailing = false
  await run()
  expect(given).toEqual(['second', 'first', 'second'])
})

test('When the service stops while codes are given, then the sweep ends', async () => {
  const stopping = new AbortController()
  const given: string[] = []
  const store = new Proxy(
    {
      listChanges: () => Promise.resolve({ events: [{ _id: 'first' }, { _id: 'second' }], position: '1' }),
      addShortCode: ({ _id }: { _id: string }) => {
        given.push(_id)
        stopping.abort()
        return Promise.resolve()
      },
    },
    { get: (target, name) => Reflect.get(target, name) ?? (() => Promise.resolve([])) },
  )
  await sweepOf(store, stopping.signal)()
  expect(given).toEqual(['first'])
})
