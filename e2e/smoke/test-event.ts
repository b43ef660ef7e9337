import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Upload, User } from '@confetti/contracts'
import { retryUntilAvailable, send } from './call-api.ts'

interface Session {
  accessToken: string
  user: User
}

interface Credentials {
  email: string
  password: string
}

/** An event that was created in a running installation for a test, with an organiser of its own. */
export interface TestEvent {
  event: Event
  organiserCredentials: Credentials
  /** Lists its uploads as its organiser sees them. Retries for five minutes while the installation is unavailable. */
  listUploads: () => Promise<Upload[]>
  /** Waits until no upload has the status `processing`, at most half an hour, and lists the uploads. */
  waitForProcessing: () => Promise<Upload[]>
}

const POLL_INTERVAL_MS = 2_000
// The service requests processing again for a lost message after 15 minutes and, at most, 12.5 more until the next sweep.
const MAX_POLLS = 900

const today = (): string => new Date().toISOString().slice(0, 10)

/** Returns a function that calls the API at `url`. It rejects with an `ApiError`, also after 30 s without a response. */
const createApiClient =
  (url: string) =>
  <T>(method: string, path: string, body?: unknown, token?: string): Promise<T> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    return send(new URL(path, url), init, (response) => response.json() as Promise<T>)
  }

/** Retries for 15 s while the events service does not know the assigned user: it receives new users by message. */
const retryUntilUserIsKnown = async <T>(createEvent: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await createEvent()
    } catch (error) {
      if (attempt === 30 || !String(error).includes('The assigned user does not exist.')) throw error
      await sleep(500)
    }
}

const readAdminCredentials = (): Credentials => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env
  if (!email || !password)
    throw new Error('Set ADMIN_EMAIL and ADMIN_PASSWORD to the credentials of an admin of the installation.')
  return { email, password }
}

/**
 * Registers an organiser and creates an event for them. The admin's credentials default to the variables ADMIN_EMAIL
 * and ADMIN_PASSWORD.
 */
export const createTestEvent = async (
  api: string,
  name: string,
  adminCredentials: Credentials = readAdminCredentials(),
): Promise<TestEvent> => {
  const call = createApiClient(api)
  const admin = await call<Session>('POST', '/api/auth/login', adminCredentials)
  const organiserCredentials = {
    email: `test-${randomBytes(4).toString('hex')}@confetti.test`,
    password: randomBytes(12).toString('base64url'),
  }
  const organiser = await call<Session>('POST', '/api/auth/register', organiserCredentials)
  const details = {
    name,
    description: 'Created by a test of this installation.',
    startDate: today(),
    endDate: today(),
  }
  const { event } = await retryUntilUserIsKnown(() =>
    call<{ event: Event }>(
      'POST',
      '/api/events',
      { ...details, eventFor: organiser.user._id },
      admin.accessToken,
    ),
  )
  const listUploads = (): Promise<Upload[]> =>
    retryUntilAvailable(async () => {
      const { accessToken } = await call<Session>('POST', '/api/auth/login', organiserCredentials)
      const path = `/api/myevents/uploads/${event._id}`
      return (await call<{ uploads: Upload[] }>('GET', path, undefined, accessToken)).uploads
    })
  const waitForProcessing = async (): Promise<Upload[]> => {
    for (let poll = 0; ; poll += 1) {
      const uploads = await listUploads()
      if (poll === MAX_POLLS || uploads.every(({ status }) => status !== 'processing')) return uploads
      await sleep(POLL_INTERVAL_MS)
    }
  }
  return { event, organiserCredentials, listUploads, waitForProcessing }
}
