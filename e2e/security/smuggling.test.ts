import { errorBody } from '@confetti/contracts'
import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startStand, type Stand } from '../stand.ts'
import { framedAtRandom, framings, login, MARK, targets } from './framings.ts'
import { fuzz, FUZZ_TIME_LIMIT_MS } from './fuzz.ts'
import { answersIn, sendRaw, type RawAnswer } from './raw-connection.ts'
import { parseLine, troublesIn, type LogLine } from './running.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: {
      gateway: {
        ADDRESS_REQUESTS_PER_MINUTE: '1000000',
        ADDRESS_CEILING_PER_MINUTE: '1000000',
        // Some of these requests wait for bytes that never come.
        IDLE_TIMEOUT_MS: '4000',
        LINGER_MS: '1000',
      },
    },
  })
}, 120_000)
afterAll(() => stand.system.stop())

const answered = (): LogLine[] =>
  stand.system.log.map(parseLine).filter(({ msg }) => msg === 'answered' || msg === 'caller left')
const ofGateway = ({ service }: LogLine): boolean => service === 'gateway'
// What services ask each other, and what watches over them.
const amongServices = /^\/(internal\/(events|users)\/[0-9a-f]{24}|\.well-known\/jwks\.json|readyz|healthz)$/
const calls = ({ requestId, method, path }: LogLine): string => `${requestId} ${method} ${path}`

/** Each call that a service saw is one that the gateway had judged, the same, and once. */
const nothingWasSmuggled = async (patienceMs = 10_000): Promise<void> => {
  const reached = (): string[] =>
    answered()
      .filter((line) => !ofGateway(line) && !amongServices.test(line.path ?? ''))
      .map(calls)
  // The gateway logs a call when its caller has the answer, which may be later.
  await eventually(
    () => {
      const judged = new Set(answered().filter(ofGateway).map(calls))
      return reached().every((call) => judged.has(call))
    },
    'every call that reached a service being one of the gateway',
    patienceMs,
  )
  expect(new Set(reached()).size).toBe(reached().length)
  const marked = stand.system.log.filter((line) => line.includes(MARK))
  expect(marked.filter((line) => !ofGateway(parseLine(line)))).toEqual([])
}

/** Sends it, and proves that every answer is a refusal of ours or one of the statuses that `may` come. */
const sendAndJudge = async (text: string, may: readonly number[]): Promise<RawAnswer[]> => {
  const answers = answersIn(await sendRaw(stand.api, text))
  for (const { status, head, body } of answers) {
    expect([400, 404, 405, 408, 413, 415, 417, 431, ...may]).toContain(status)
    // Node itself refuses what it cannot read as HTTP, with a status alone.
    if (status >= 400 && /^content-type: application\/json/im.test(head)) errorBody.parse(JSON.parse(body))
    else if (status >= 400) expect(body).toBe('')
    expect(body).not.toContain(MARK)
  }
  return answers
}

test.each(framings)(
  'When a request is framed by %s, then no service sees what hides behind it',
  async (_, text) => {
    await sendAndJudge(text, [401])
    await nothingWasSmuggled()
  },
)

test.each(targets)(
  'When %s is asked for, then no service is asked for anything but a public call',
  async (target) => {
    for (const method of ['GET', 'POST'])
      for (const { status } of await sendAndJudge(
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
        [401],
      ))
        expect(status).not.toBe(200)
    await nothingWasSmuggled()
  },
)

test('When requests are pipelined, then each is answered, in its order, and seen once', async () => {
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const answers = await sendAndJudge(
    [
      ask(`/api/events/${stand.event._id}`),
      ask('/api/users'),
      login('Content-Length: 2', '{}'),
      ask('/api/none'),
    ].join(''),
    [200, 401],
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 404, 404])
  const ids = answers.map(({ head }) => /^x-request-id: (\S+)/im.exec(head)?.[1])
  expect(new Set(ids).size).toBe(5)
  const judged = (): (string | undefined)[] =>
    answered()
      .filter(ofGateway)
      .map(({ requestId }) => requestId)
  await eventually(() => ids.every((id) => judged().includes(id)))
  await nothingWasSmuggled()
})

test.each<[string, string, number]>([
  ['one header of 20 kB', `X-A: ${'a'.repeat(20_000)}`, 431],
  ['5,000 headers', Array.from({ length: 5_000 }, (_, n) => `a${n}: b`).join('\r\n'), 431],
  ['a token of 20 kB', `Authorization: Bearer ${'a'.repeat(20_000)}`, 431],
  ['a header name that is none', 'X A: b', 400],
])('When a request has %s, then it is refused and the next one is served', async (_, head, status) => {
  const text = `GET /api/events/${stand.event._id} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`
  expect((await sendAndJudge(text, [])).map((answer) => answer.status)).toEqual([status])
  expect((await fetch(`${stand.api}/api/events/${stand.event._id}`)).status).toBe(200)
})

test(
  'When heads are put together at random, then no service sees what hides behind them',
  async () => {
    await fuzz(
      'request heads',
      fc.asyncProperty(framedAtRandom, async (text) => {
        await sendAndJudge(text, [401])
      }),
      { share: 0.4 },
    )
    await nothingWasSmuggled()
    expect(troublesIn(stand.system.log)).toEqual([])
  },
  FUZZ_TIME_LIMIT_MS,
)

test('When a call does reach a service past the gateway, then these tests would see it', async () => {
  expect((await fetch(`${stand.system.url('events')}/api/myevents`)).status).toBe(401)
  await eventually(() => answered().some((line) => !ofGateway(line) && line.path === '/api/myevents'))
  await expect(nothingWasSmuggled(2_000)).rejects.toThrow('did not come true')
})
