import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Upload, User } from '@confetti/contracts'

// Confetti as it runs somewhere, by its public API.

interface Session {
  accessToken: string
  user: User
}

interface Credentials {
  email: string
  password: string
}

/** An event made for a trial, and the organiser who watches it. */
export interface Trial {
  event: Event
  credentials: Credentials
  /** What its organiser sees now. */
  listUploads: () => Promise<Upload[]>
  /** The same once the media worker is done with all of it, or after ten minutes. */
  whenProcessed: () => Promise<Upload[]>
}

const today = (): string => new Date().toISOString().slice(0, 10)

/** Makes calls to the API at `url`; a status that is not a success, or no answer in 30 s, is an error. */
const makeCall =
  (url: string) =>
  async <T>(method: string, path: string, body?: unknown, token?: string): Promise<T> => {
    const response = await fetch(new URL(path, url), {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }

const untilKnown = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries === 30 || !String(error).includes('The assigned user does not exist.')) throw error
      await sleep(500)
    }
}

const adminOfEnvironment = (): Credentials => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env
  if (!email || !password)
    throw new Error('Set ADMIN_EMAIL and ADMIN_PASSWORD to an admin of that installation.')
  return { email, password }
}

/**
 * An admin, the one whom ADMIN_EMAIL and ADMIN_PASSWORD name unless one is given, makes an event for an organiser
 * who has just registered.
 */
export const openTrial = async (
  api: string,
  name: string,
  adminsCredentials: Credentials = adminOfEnvironment(),
): Promise<Trial> => {
  const call = makeCall(api)
  const admin = await call<Session>('POST', '/api/auth/login', adminsCredentials)
  const credentials = {
    email: `trial-${randomBytes(4).toString('hex')}@confetti.test`,
    password: randomBytes(12).toString('base64url'),
  }
  const organiser = await call<Session>('POST', '/api/auth/register', credentials)
  const details = {
    name,
    description: 'Made to try this installation.',
    startDate: today(),
    endDate: today(),
  }
  // The assigned account reaches the events service by message.
  const makeEvent = (): Promise<{ event: Event }> =>
    call('POST', '/api/events', { ...details, eventFor: organiser.user._id }, admin.accessToken)
  const { event } = await untilKnown(makeEvent)
  const listUploads = async (): Promise<Upload[]> => {
    const { accessToken } = await call<Session>('POST', '/api/auth/login', credentials)
    const path = `/api/myevents/uploads/${event._id}`
    return (await call<{ uploads: Upload[] }>('GET', path, undefined, accessToken)).uploads
  }
  const whenProcessed = async (): Promise<Upload[]> => {
    for (let tries = 0; ; tries += 1) {
      const uploads = await listUploads()
      if (tries === 300 || uploads.every(({ status }) => status !== 'processing')) return uploads
      await sleep(2_000)
    }
  }
  return { event, credentials, listUploads, whenProcessed }
}
