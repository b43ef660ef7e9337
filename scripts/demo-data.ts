import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Upload, User } from '@confetti/contracts'
import type { System } from '@confetti/launcher'
import { root } from './paths.ts'

export const demoAdmin = { email: 'admin@confetti.test', password: 'confetti-admin' }
export const demoOrganiser = { email: 'organiser@confetti.test', password: 'confetti-organiser' }

const DAY_MS = 24 * 3_600_000
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

type Phase = 'active' | 'upcoming' | 'past'

const phaseOf = ({ startDate, endDate }: Pick<Event, 'startDate' | 'endDate'>): Phase => {
  const today = dayFromNow(0)
  return today < startDate ? 'upcoming' : today > endDate ? 'past' : 'active'
}

const events: readonly ({ phase: Phase } & Pick<Event, 'name' | 'description' | 'startDate' | 'endDate'>)[] =
  [
    {
      phase: 'active',
      name: 'Garden wedding',
      description: 'Ceremony under the lindens, dinner in the barn, dancing until late.',
      startDate: dayFromNow(0),
      endDate: dayFromNow(1),
    },
    {
      phase: 'upcoming',
      name: 'Harbour summer fair',
      description: 'Stalls, boats and the band on the pier.',
      startDate: dayFromNow(14),
      endDate: dayFromNow(15),
    },
    {
      phase: 'past',
      name: 'Tenth anniversary party',
      description: 'Ten years, one long table.',
      startDate: dayFromNow(-6),
      endDate: dayFromNow(-5),
    },
  ]
const sampleUploads: readonly [file: string, credit: string][] = [
  ['phone-jolla.jpg', 'Table 4'],
  ['iphone-13.heic', 'Table 7'],
  ['camera-gps.jpg', 'Table 2'],
  ['photo.webp', 'The band'],
  ['video.mp4', 'Dance floor'],
]

interface Session {
  accessToken: string
  user: User
}

/**
 * Creates the demo data that does not exist yet: two accounts, three events, some photos and a video.
 * Resolves with the events when the uploads are processed, or after about a minute.
 */
export const ensureDemoData = async (system: System): Promise<Event[]> => {
  const api = system.url('gateway')

  const call = async (method: string, path: string, token?: string, body?: unknown): Promise<Response> =>
    fetch(`${api}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const expectOk = async <T>(response: Response): Promise<T> => {
    if (!response.ok)
      throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const signIn = async (
    credentials: typeof demoAdmin,
    createAccount: () => Promise<unknown>,
  ): Promise<Session> => {
    const response = await call('POST', '/api/auth/login', undefined, credentials)
    if (response.ok) return (await response.json()) as Session
    await createAccount()
    return expectOk<Session>(await call('POST', '/api/auth/login', undefined, credentials))
  }

  const admin = await signIn(demoAdmin, () =>
    system.run('auth', 'src/create-admin.ts', [demoAdmin.email], { ADMIN_PASSWORD: demoAdmin.password }),
  )
  const organiser = await signIn(demoOrganiser, async () =>
    expectOk(await call('POST', '/api/auth/register', undefined, demoOrganiser)),
  )

  // Checks each phase separately: events end as time passes, and an earlier run may have been interrupted.
  const { events: existingEvents } = await expectOk<{ events: Event[] }>(
    await call('GET', '/api/myevents', organiser.accessToken),
  )
  const demoEvents: Event[] = []
  for (const { phase, ...event } of events) {
    const existing = existingEvents.find((each) => phaseOf(each) === phase)
    if (existing) demoEvents.push(existing)
    else {
      const body = { ...event, eventFor: organiser.user._id }
      const response = await call('POST', '/api/events', admin.accessToken, body)
      demoEvents.push((await expectOk<{ event: Event }>(response)).event)
    }
  }

  const activeEventId = demoEvents[0]?._id ?? ''
  const listUploads = async () =>
    expectOk<{ uploads: Upload[] }>(
      await call('GET', `/api/myevents/uploads/${activeEventId}`, organiser.accessToken),
    )
  if ((await listUploads()).uploads.length === 0)
    for (const [file, credit] of sampleUploads) {
      const form = new FormData()
      form.set('eventId', activeEventId)
      form.set('photoCredit', credit)
      form.set('media', new Blob([await readFile(join(root, 'samples', file))]), file)
      await expectOk(await fetch(`${api}/api/uploads`, { method: 'POST', body: form }))
    }
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { uploads } = await listUploads()
    if (uploads.every(({ status }) => status !== 'processing')) break
    await sleep(1_000)
  }
  return demoEvents
}
