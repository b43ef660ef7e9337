import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventCopy } from '@confetti/contracts'
import { issuePass, withCaller, type AppError } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { createEvents, findClosedError } from './events.ts'

const MINUTE_MS = 60_000
const uploadsCloseAt = '2026-06-20T18:00:00.000Z'
const event = { _id: 'a'.repeat(24), eventFor: 'b'.repeat(24), organisers: [], uploadsCloseAt, revision: 0 }
/** A time some minutes after the closing time. */
const after = (minutes: number): Date => new Date(Date.parse(uploadsCloseAt) + minutes * MINUTE_MS)

test.each([
  ['before the closing time', -1, -1, true],
  ['at the closing time', 0, 0, false],
  ['after it, having been begun before', -1, 59, true],
  ['an hour after it, having been begun before', -1, 60, false],
  ['after it, having been begun after', 1, 2, false],
])('When a file arrives %s, then the event takes it or not', (_, begunAt, now, isOpen) => {
  expect(findClosedError(event, after(begunAt), after(now)) === undefined).toBe(isOpen)
  const open = { ...event, uploads: 'open' as const }
  expect(findClosedError(open, after(begunAt), after(now)) === undefined).toBe(isOpen)
  const closed = { ...event, uploads: 'closed' as const }
  expect(findClosedError(closed, after(begunAt), after(now))?.code).toBe('event_closed')
})

const GUESTS = 500
const [firstPin, secondPin] = ['1'.repeat(64), '2'.repeat(64)]

/** An events service which has `latest`, and a copy in uploads, which has it once it has been asked for. */
const startEvents = async (copy: EventCopy | undefined, latest: EventCopy) => {
  const context = { copy, latest, questions: 0, answered: Promise.resolve() }
  const server = createServer((_, response) => {
    context.questions += 1
    const answer = JSON.stringify(context.latest)
    void context.answered.then(() =>
      response.setHeader('Content-Type', 'application/json').setHeader('Connection', 'close').end(answer),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const copies = {
    find: () => Promise.resolve(context.copy),
    save: (saved: EventCopy) => {
      context.copy = saved
      return Promise.resolve(true)
    },
  }
  const EVENTS_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It stands still: all guests come within the same moment, however long that takes here.
  const now = new Date()
  const events = createEvents(copies, { config: { EVENTS_URL } as never, clock: () => now })
  const passFor = (pinHash: string) => issuePass(event._id, pinHash, now).pass
  return {
    context,
    events,
    /** Calls a route that needs a pass, with one for this PIN. */
    getWith: (pinHash: string) =>
      withCaller(
        {
          address: '::1',
          proof: { pass: passFor(pinHash), findPrincipal: () => Promise.resolve(undefined) },
        },
        () => events.get(event._id),
      ),
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

test('When a full hall shows passes of an earlier PIN, then the events service is asked twice, and a fitting pass asks nothing', async () => {
  const current = { ...event, pinHash: secondPin }
  const { context, getWith, stop } = await startEvents(current, current)
  const codeOf = (refused: Promise<unknown>) =>
    refused.then(
      () => 'accepted',
      (error: unknown) => (error as AppError).code,
    )
  const codes = await Promise.all(Array.from({ length: GUESTS }, () => codeOf(getWith(firstPin))))
  expect([codes.length, ...new Set(codes)]).toEqual([GUESTS, 'pin_required'])
  expect(context.questions).toBe(2)
  await Promise.all(Array.from({ length: GUESTS }, () => getWith(secondPin)))
  expect(context.questions).toBe(2)
  await stop()
})

test('When the PIN is changed while the events service answers, then passes for the new one count, which it is asked about again', async () => {
  const former = { ...event, pinHash: firstPin }
  const { context, getWith, stop } = await startEvents(former, former)
  let answer = (): void => undefined
  context.answered = new Promise((resolve) => {
    answer = resolve
  })
  const early = getWith('0'.repeat(64))
  while (context.questions === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  context.latest = { ...former, pinHash: secondPin, revision: 1 }
  const late = Promise.all(Array.from({ length: GUESTS }, () => getWith(secondPin)))
  answer()
  await expect(early).rejects.toMatchObject({ code: 'pin_required' })
  expect(new Set((await late).map(({ revision }) => revision))).toEqual(new Set([1]))
  expect(context.questions).toBe(2)
  await stop()
})

test('When many guests open an event that has no copy yet, then the events service is asked once', async () => {
  const { context, events, stop } = await startEvents(undefined, event)
  const found = await Promise.all(Array.from({ length: GUESTS }, () => events.get(event._id)))
  expect([found.length, context.questions]).toEqual([GUESTS, 1])
  await stop()
})

test('When the events service is down, then a pass that fits the copy counts, and guests with another are told when to try again', async () => {
  const current = { ...event, pinHash: secondPin }
  const { getWith, events, stop } = await startEvents(current, current)
  await stop()
  expect(await getWith(secondPin)).toBe(current)
  const unavailable = { kind: 'unavailable', retryAfterSeconds: expect.any(Number) }
  await expect(getWith(firstPin)).rejects.toMatchObject(unavailable)
  await expect(events.findConsent(current, 'a version that the copy lacks')).rejects.toMatchObject(
    unavailable,
  )
})
