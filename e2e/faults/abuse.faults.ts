import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '@confetti/contracts'
import { orHang } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

const GUESTS = 500
const AT_ONCE = 100
const GARBAGE_UPLOADS = 300
// Who is refused is so until the minute is over; what is shown of it needs some of that minute.
const LONG_ENOUGH_S = 15
const REFUSED_CALLS = 100

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    replicas: { gateway: 2 },
    // In production it is 6,000; the flood need not be as long.
    environment: { gateway: { ADDRESS_REQUESTS_PER_MINUTE: '2000' } },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}
interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const ask = (agent: Agent, { method = 'GET', path, headers = {}, body = '' }: Call): Promise<Answer> =>
  orHang(
    path,
    (signal) =>
      new Promise((resolve, reject) => {
        const length = body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
        const asking = request(`${stand.api}${path}`, {
          agent,
          method,
          headers: { ...headers, ...length },
          signal,
        })
        asking.on('error', reject).on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          )
        })
        asking.end(body)
      }),
  )

/** A phone that opens the event's page, and gets what tells it from the others. */
const openPage = async (agent: Agent, { event }: Scene): Promise<string> => {
  const { status, headers } = await ask(agent, { path: `/api/events/${event._id}` })
  expect(status).toBe(200)
  return String(headers['x-guest-token'])
}

/** Makes a call, some at once, as often as `goOn` says; how often it had which answer, and when to come again. */
const flood = async (agent: Agent, call: Call, goOn: (last?: Answer) => boolean) => {
  const statuses = new Map<number, number>()
  let retryAfter = 0
  let last: Answer | undefined
  const callOn = async (): Promise<void> => {
    while (goOn(last)) {
      last = await ask(agent, call)
      const { status, headers, text } = last
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // An abuser, too, is told clearly.
      if (status >= 400) errorBody.parse(JSON.parse(text))
      if (status === 429) {
        retryAfter = Number(headers['retry-after'])
        expect(retryAfter).toBeGreaterThan(0)
      }
    }
  }
  await Promise.all(Array.from({ length: agent.maxSockets }, callOn))
  return { statuses, retryAfter }
}

const times = (count: number) => (): boolean => {
  count -= 1
  return count >= 0
}

/** Makes a call until it is refused, and stays so for a while; which answers it had. */
const useUp = async (agent: Agent, call: Call): Promise<number[]> => {
  const had = new Set<number>()
  for (;;) {
    const { statuses, retryAfter } = await flood(agent, call, (last) => last?.status !== 429)
    for (const status of statuses.keys()) had.add(status)
    if (retryAfter > LONG_ENOUGH_S) return [...had].sort()
    await sleep(retryAfter * 1_000)
  }
}

const garbage = (eventId: string): string =>
  [
    `--x\r\nContent-Disposition: form-data; name="eventId"\r\n\r\n${eventId}`,
    '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nNobody',
    '--x\r\nContent-Disposition: form-data; name="media"; filename="image.jpg"\r\n\r\nno picture\r\n--x--\r\n',
  ].join('\r\n')

/** Sends one photo; that anything comes between is what must not happen. */
const sendPhoto = async ({ guest }: Scene, credit: string, guestToken: string): Promise<void> => {
  expect(await guest(credit, { guestToken }).send(await newPhoto())).toMatchObject({ status: 201 })
}

/** All guests send a photo, so many at once as a hall's network lets through. */
const sendPhotos = async (scene: Scene, tokens: readonly string[]): Promise<void> => {
  const waiting = [...tokens.entries()]
  const sendOn = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await sendPhoto(scene, `Guest ${next[0] + 1}`, next[1])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
}

test('When one client abuses the address that 500 guests share, then he alone is refused', () =>
  play(
    stand,
    async (scene) => {
      const phones = new Agent({ keepAlive: true, maxSockets: 50 })
      const abuser = new Agent({ keepAlive: true, maxSockets: 10 })
      const tokens = await Promise.all(Array.from({ length: GUESTS }, () => openPage(phones, scene)))
      expect(new Set(tokens).size).toBe(GUESTS)
      const path = `/api/events/${scene.event._id}`
      const withToken = { 'X-Guest-Token': await openPage(abuser, scene) }
      const abuse = async (): Promise<void> => {
        const garbageUpload = {
          method: 'POST',
          path: '/api/uploads',
          headers: { ...withToken, 'Content-Type': 'multipart/form-data; boundary=x' },
          body: garbage(scene.event._id),
        }
        const uploads = await flood(abuser, garbageUpload, times(GARBAGE_UPLOADS))
        expect([...uploads.statuses]).toEqual([[415, GARBAGE_UPLOADS]])
        expect(await useUp(abuser, { path, headers: withToken })).toEqual([200, 429])
        expect([...(await flood(abuser, garbageUpload, times(REFUSED_CALLS))).statuses]).toEqual([
          [429, REFUSED_CALLS],
        ])
        const forged = { 'X-Guest-Token': `${'a'.repeat(22)}.${'b'.repeat(43)}` }
        expect(await useUp(abuser, { path, headers: forged })).toEqual([200, 429])
        expect([...(await flood(abuser, { path }, times(REFUSED_CALLS))).statuses]).toEqual([
          [429, REFUSED_CALLS],
        ])
      }
      await Promise.all([abuse(), sendPhotos(scene, tokens)])
      // Those who are here already are served while the abuser has used up what strangers have.
      await useUp(abuser, { path })
      await sendPhotos(scene, tokens.slice(0, 50))
      phones.destroy()
      abuser.destroy()
    },
    { processed: false },
  ))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
