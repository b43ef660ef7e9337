import { once } from 'node:events'
import { runUnderLease } from '@confetti/messaging'
import { testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { newId, newNamespace } from './test-broker.ts'

let connection: Connection
beforeAll(async () => {
  connection = await mongoose.createConnection(`${testBackends().mongo}/${newNamespace()}`).asPromise()
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
})

const done = () => Promise.resolve()

test('When several processes take a lease at once, then one works, and the next one can when it has ended', async () => {
  const name = newId()
  const end = new AbortController()
  let working = 0
  const attempts = Array.from({ length: 5 }, () =>
    runUnderLease(connection, name, async () => {
      working += 1
      await once(end.signal, 'abort')
    }),
  )
  // The first to settle is one that was refused.
  expect(await Promise.race(attempts)).toBe(false)
  expect(await runUnderLease(connection, name, done)).toBe(false)
  expect(await runUnderLease(connection, newId(), done)).toBe(true)
  end.abort()
  expect((await Promise.all(attempts)).filter((hasRun) => hasRun)).toHaveLength(1)
  expect(working).toBe(1)
  expect(await runUnderLease(connection, name, done)).toBe(true)
})

test('When work under a lease fails, then its error is thrown, and the next process can begin at once', async () => {
  const name = newId()
  const failure = new Error('failed')
  await expect(runUnderLease(connection, name, () => Promise.reject(failure))).rejects.toBe(failure)
  expect(await runUnderLease(connection, name, done)).toBe(true)
})

test('When the process that holds a lease dies, then another process works after it has expired', async () => {
  const name = newId()
  const leases = connection.collection<{ _id: string; holder: string; until: Date }>('leases')
  const until = new Date(Date.now() + 30_000)
  await leases.insertOne({ _id: name, holder: 'dead', until })
  expect(await runUnderLease(connection, name, done)).toBe(false)
  await leases.updateOne({ _id: name }, { $set: { until: new Date() } })
  expect(await runUnderLease(connection, name, done)).toBe(true)
})
