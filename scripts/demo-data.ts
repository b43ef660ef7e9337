import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Upload, User } from '@confetti/contracts'
import type { System } from '@confetti/launcher'
import { root } from './places.ts'

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
const photos: readonly [file: string, credit: string][] = [
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

/** Makes what a newcomer can look at, once: two accounts, three events, some photos and a video. */
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
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const signIn = async (credentials: typeof demoAdmin, make: () => Promise<unknown>): Promise<Session> => {
    const first = await call('POST', '/api/auth/login', undefined, credentials)
    if (first.ok) return (await first.json()) as Session
    await make()
    return expectOk<Session>(await call('POST', '/api/auth/login', undefined, credentials))
  }

  const admin = await signIn(demoAdmin, () =>
    system.run('auth', 'src/create-admin.ts', [demoAdmin.email], { ADMIN_PASSWORD: demoAdmin.password }),
  )
  const organiser = await signIn(demoOrganiser, async () =>
    expectOk(await call('POST', '/api/auth/register', undefined, demoOrganiser)),
  )

  // Each kind for itself: events grow old, and a first run may have been cut short.
  const { events: mine } = await expectOk<{ events: Event[] }>(
    await call('GET', '/api/myevents', organiser.accessToken),
  )
  const shown: Event[] = []
  for (const { phase, ...event } of events) {
    const existing = mine.find((each) => phaseOf(each) === phase)
    if (existing) shown.push(existing)
    else {
      const body = { ...event, eventFor: organiser.user._id }
      const answer = await call('POST', '/api/events', admin.accessToken, body)
      shown.push((await expectOk<{ event: Event }>(answer)).event)
    }
  }

  const party = shown[0]?._id ?? ''
  const listPhotos = async () =>
    expectOk<{ uploads: Upload[] }>(
      await call('GET', `/api/myevents/uploads/${party}`, organiser.accessToken),
    )
  if ((await listPhotos()).uploads.length === 0)
    for (const [file, credit] of photos) {
      const form = new FormData()
      form.set('eventId', party)
      form.set('photoCredit', credit)
      form.set('media', new Blob([await readFile(join(root, 'samples', file))]), file)
      await expectOk(await fetch(`${api}/api/uploads`, { method: 'POST', body: form }))
    }
  for (let tries = 0; tries < 60; tries += 1) {
    const { uploads } = await listPhotos()
    if (uploads.every(({ status }) => status !== 'processing')) break
    await sleep(1_000)
  }
  return shown
}
