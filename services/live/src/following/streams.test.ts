import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { configSchema } from '../config.ts'
import { createLiveMetrics } from '../metrics.ts'
import { eventChanged } from './recent-events.ts'
import type { Stream } from './stream.ts'
import { createStreams } from './streams.ts'

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }))
afterEach(() => void jest.useRealTimers())

const config = configSchema.parse({
  PORT: '0',
  METRICS_PORT: '0',
  RABBITMQ_URL: 'amqp://localhost',
  AUTH_JWKS_URL: 'http://localhost',
  EVENTS_URL: 'http://localhost',
})
const eventId = 'e'.repeat(24)
const newMessage = (id: string) => ({ id, time: new Date().toISOString() })

/** A stream, and the names of what was sent to it. */
const newFollower = () => {
  const names: string[] = []
  const stream: Stream = {
    eventId,
    audience: 'member',
    credentials: {},
    authorization: undefined,
    write: (bytes) =>
      names.push(...[...String(bytes).matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name)),
    end: () => undefined,
  }
  return { stream, names }
}

/** The streams of a replica, and the events that it follows. */
const newStreams = (follow: (eventId: string) => Promise<void> = () => Promise.resolve()) => {
  const followed: string[] = []
  const service = { config, registry: new Registry(), clock: () => new Date() }
  const streams = createStreams(config, createLiveMetrics(service as never), {
    follow: async (id) => {
      followed.push(id)
      await follow(id)
    },
    unfollow: (id) => void followed.splice(followed.indexOf(id), 1),
  })
  return { streams, followed }
}

test('When an event has had no stream for two minutes, then it is not followed any more', async () => {
  const { streams, followed } = newStreams()
  await Promise.all([streams.follow(eventId), streams.follow(eventId)])
  expect(followed).toEqual([eventId])
  const { stream } = newFollower()
  streams.add(stream, undefined)
  jest.advanceTimersByTime(121_000)
  streams.sendHeartbeat()
  streams.remove(stream, 'client')
  jest.advanceTimersByTime(119_000)
  streams.sendHeartbeat()
  expect(followed).toEqual([eventId])
  jest.advanceTimersByTime(2_000)
  streams.sendHeartbeat()
  expect(followed).toEqual([])
})

test('When somebody is about to join after two minutes without a stream, then the event is still followed', async () => {
  const { streams, followed } = newStreams()
  await streams.follow(eventId)
  jest.advanceTimersByTime(121_000)
  await streams.follow(eventId)
  streams.sendHeartbeat()
  const { stream, names } = newFollower()
  streams.add(stream, undefined)
  expect([followed, names]).toEqual([[eventId], ['reset']])
})

test('When messages about an event do not arrive, then all who wait learn it, and the next one tries again', async () => {
  let isBroken = true
  const { streams, followed } = newStreams(() =>
    isBroken ? Promise.reject(new Error('The broker is gone')) : Promise.resolve(),
  )
  const attempts = [streams.follow(eventId), streams.follow(eventId)]
  for (const attempt of attempts) await expect(attempt).rejects.toThrow('The broker is gone')
  expect(followed).toEqual([])
  isBroken = false
  await streams.follow(eventId)
  expect(followed).toEqual([eventId])
})

test('When messages may be missing, then each stream is sent reset within 2 s, not all at once, and nothing before it', async () => {
  const { streams } = newStreams()
  await streams.follow(eventId)
  const followers = Array.from({ length: 50 }, newFollower)
  for (const { stream } of followers) streams.add(stream, undefined)
  for (const { names } of followers) names.length = 0

  streams.reset()
  // A second gap resets nobody twice.
  streams.reset()
  streams.send(eventId, eventChanged, newMessage('early'))
  const countReset = () => followers.filter(({ names }) => names.includes('reset')).length
  jest.advanceTimersByTime(1_000)
  expect(countReset()).toBeGreaterThan(0)
  expect(countReset()).toBeLessThan(50)
  for (const { names } of followers) expect(names.slice(0, 1)).toEqual(names.length > 0 ? ['reset'] : [])
  jest.advanceTimersByTime(1_000)
  for (const { names } of followers) expect(names.filter((name) => name === 'reset')).toHaveLength(1)

  streams.send(eventId, eventChanged, newMessage('late'))
  jest.advanceTimersByTime(100)
  for (const { names } of followers) expect(names.at(-1)).toBe('event.changed')
})
