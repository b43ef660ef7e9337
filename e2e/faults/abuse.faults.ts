import { Agent, request } from 'node:http'
import { errorBody } from '@confetti/contracts'
import { orHang } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

const GUESTS = 500
const AT_ONCE = 100
const FLOOD_WITH_TOKEN = 1_200
const GARBAGE_UPLOADS = 300
const FLOOD_WITHOUT_TOKEN = 2_500

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

/** Makes a call again and again, some at once; how often it had which answer. */
const flood = async (agent: Agent, times: number, call: Call): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>()
  let left = times
  const callOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { status, headers, text } = await ask(agent, call)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // An abuser, too, is told clearly.
      if (status >= 400) errorBody.parse(JSON.parse(text))
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  }
  await Promise.all(Array.from({ length: agent.maxSockets }, callOn))
  return statuses
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
        const uploads = await flood(abuser, GARBAGE_UPLOADS, garbageUpload)
        expect([...uploads.keys()]).toEqual([415])
        const looks = await flood(abuser, FLOOD_WITH_TOKEN, { path, headers: withToken })
        expect([...looks.keys()].sort()).toEqual([200, 429])
        expect((await flood(abuser, 20, garbageUpload)).get(429)).toBe(20)
        const forged = { 'X-Guest-Token': `${'a'.repeat(22)}.${'b'.repeat(43)}` }
        const unknown = await flood(abuser, FLOOD_WITHOUT_TOKEN, { path, headers: forged })
        expect([...unknown.keys()].sort()).toEqual([200, 429])
        expect((await flood(abuser, 20, { path })).get(429)).toBe(20)
      }
      await Promise.all([abuse(), sendPhotos(scene, tokens)])
      // Those who are here already are served while the abuser has used up what strangers have.
      await sendPhotos(scene, tokens.slice(0, 50))
      phones.destroy()
      abuser.destroy()
    },
    { processed: false },
  ))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
