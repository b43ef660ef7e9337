import type { ReactNode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, renderHook } from '@testing-library/react'
import { onLoading } from '@confetti/api-client'
import { createQueryClient } from '@confetti/federation/query-client'
import { initSession } from '@confetti/session'
import { useMyEvents } from './my-events.tsx'

const MINUTE_MS = 60_000
const event = { _id: 'event-1', name: 'Garden wedding' }

let isDown: boolean
let requests: number
/** The requests that showed the loading overlay. */
let overlays: number
let stopCounting: () => void

beforeEach(() => {
  jest.useFakeTimers()
  isDown = false
  requests = 0
  overlays = 0
  stopCounting = onLoading((count) => {
    overlays += count
  })
  initSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  globalThis.fetch = (() => {
    requests += 1
    if (isDown) return Promise.reject(new TypeError('Failed to fetch'))
    const text = () => Promise.resolve(JSON.stringify({ events: [event] }))
    return Promise.resolve({ ok: true, status: 200, text, headers: new Map() })
  }) as unknown as typeof fetch
})
afterEach(() => {
  stopCounting()
  cleanup()
  jest.useRealTimers()
})

const renderMyEvents = () => {
  const client = createQueryClient()
  const states: string[] = []
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () => {
      const { events, error, retry } = useMyEvents()
      const state = error ? 'error' : events ? 'events' : 'loading'
      return { state, events, retry }
    },
    { wrapper },
  )
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += ms / 10) {
      await act(() => jest.advanceTimersByTimeAsync(ms / 10))
      if (states.at(-1) !== result.current.state) states.push(result.current.state)
    }
  }
  return { result, states, pass }
}

test('When the page is open, then the events are fetched again every minute, quietly', async () => {
  const { result, pass } = renderMyEvents()
  await pass(5 * MINUTE_MS + 1_000)
  expect(requests).toBe(6)
  expect(overlays).toBe(1)
  expect(result.current.events).toEqual([event])
})

test('When a background fetch fails, then the events stay', async () => {
  const { states, pass } = renderMyEvents()
  await pass(10)
  isDown = true
  await pass(3 * MINUTE_MS)
  expect(states).toEqual(['events'])
})

test('When loading fails, then the error stays until a background fetch succeeds', async () => {
  isDown = true
  const { states, pass } = renderMyEvents()
  await pass(3 * MINUTE_MS)
  expect(requests).toBeGreaterThan(2)
  expect(states).toEqual(['error'])
  isDown = false
  await pass(MINUTE_MS + 1_000)
  expect(states).toEqual(['error', 'events'])
  expect(overlays).toBe(1)
})

test('When Retry is clicked, then the events load at once, with the loading overlay', async () => {
  isDown = true
  const { result, states, pass } = renderMyEvents()
  await pass(10)
  isDown = false
  act(() => result.current.retry())
  await pass(10)
  expect(states).toEqual(['error', 'events'])
  expect(overlays).toBe(2)
})
