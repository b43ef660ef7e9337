import type { EventCopy } from '@confetti/contracts'
import { createEventCopyModel } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { CACHE_TTL_MS } from '../events.ts'
import { createEventStore } from './event-store.ts'

const EVENT = 'e'.repeat(24)

/** A store whose database answers a question when the test says so. */
const openStore = () => {
  let time = Date.parse('2026-06-12T20:00:00Z')
  const questions: { answer: () => void; fail: () => void }[] = []
  const connection = createMemoryDatabase().connect(
    () =>
      new Promise((resolve, reject) => {
        questions.push({ answer: resolve, fail: () => reject(new Error('no connection')) })
      }),
  )
  const store = createEventStore(createEventCopyModel(connection, {}), {
    maxCached: 10,
    erasedIds: { has: () => Promise.resolve(false) } as unknown as Deps['erasedIds'],
    clock: () => new Date(time),
  })
  /** Answers all questions of `work`, those that are asked meanwhile included. */
  const answered = async <T>(work: Promise<T>): Promise<T> => {
    const outcomes: unknown[] = []
    void Promise.allSettled([work]).then((outcome) => outcomes.push(outcome))
    while (outcomes.length === 0) {
      questions.splice(0).forEach(({ answer }) => answer())
      await new Promise(setImmediate)
    }
    return work
  }
  const asked = async (): Promise<typeof questions> => {
    await new Promise(setImmediate)
    return questions.splice(0)
  }
  return {
    store,
    answered,
    asked,
    pass: (ms: number): void => {
      time += ms
    },
    save: (revision: number) =>
      answered(store.save({ _id: EVENT, revision, organisers: [] as string[] } as EventCopy)),
  }
}

test('When hundreds of calls need an event before the database has answered one, then it is asked once', async () => {
  const { store, answered, asked, save } = openStore()
  await save(1)
  const found = Array.from({ length: 300 }, () => store.find(EVENT))
  const questions = await asked()
  expect(questions).toHaveLength(1)
  questions[0]?.answer()
  const events = await answered(Promise.all(found))
  expect(new Set(events.map((event) => event?.revision))).toEqual(new Set([1]))
})

test('When the database answers more slowly than a copy may be old, then it is asked once in that time, not for each call', async () => {
  const { store, answered, asked, pass, save } = openStore()
  await save(1)
  const found: Promise<unknown>[] = []
  const questions: Awaited<ReturnType<typeof asked>> = []
  for (let second = 0; second < 12; second += 1) {
    found.push(...Array.from({ length: 50 }, () => store.find(EVENT)))
    questions.push(...(await asked()))
    pass(1_000)
  }
  expect(questions).toHaveLength(Math.ceil(12_000 / (CACHE_TTL_MS + 1_000)))
  for (const { answer } of questions) answer()
  await answered(Promise.all(found))
})

test('When a question fails, or there is no such event, then the next call asks again', async () => {
  const { store, answered, asked, save } = openStore()
  const failed = store.find(EVENT)
  ;(await asked())[0]?.fail()
  await expect(answered(failed)).rejects.toThrow('no connection')
  expect(await answered(store.find(EVENT))).toBeUndefined()
  await save(1)
  expect(await answered(store.find(EVENT))).toMatchObject({ revision: 1 })
})

test('When an event changes here while its copy is asked for, then the next call gets the change', async () => {
  const { store, answered, save } = openStore()
  await save(1)
  const before = store.find(EVENT)
  await save(2)
  await answered(before)
  expect(await answered(store.find(EVENT))).toMatchObject({ revision: 2 })
})
