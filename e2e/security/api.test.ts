import { listEventUploads, listMyEventUploads, publicRoutes, type RouteContract } from '@confetti/contracts'
import { call, newOrganiser, randomEmail, sample, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { listUploads, startStand, type Stand } from '../stand.ts'
import { judge, send, tokenFor } from './api-call.ts'
import { readApiDocument, type ApiDocument, type Operation } from './api-document.ts'
import { callsOf, plainCallOf, type Call, type Meaningful } from './api-inputs.ts'
import { fuzz, FUZZ_TIME_LIMIT_MS } from './fuzz.ts'
import { oddTexts } from './odd-values.ts'
import { operatorCalls, operatorNames } from './operators.ts'
import { troublesIn } from './running.ts'

let stand: Stand
let document: ApiDocument
let meaningful: Meaningful
let tokens: (string | undefined)[]

beforeAll(async () => {
  const many = '1000000'
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: {
      gateway: {
        ADDRESS_REQUESTS_PER_MINUTE: many,
        ADDRESS_CEILING_PER_MINUTE: many,
        MEMBER_REQUESTS_PER_MINUTE: many,
      },
      auth: {
        SIGN_IN_FAILURES_PER_ACCOUNT: many,
        SIGN_IN_FAILURES_PER_ADDRESS: many,
        REGISTRATIONS_PER_ADDRESS: many,
      },
    },
  })
  const { api, admin, organiser, event } = stand
  document = await readApiDocument(api)
  const gif = await sample('animated.gif')
  const files = Array.from({ length: 20 }, (_, n) => ({
    name: `${n}.gif`,
    bytes: Buffer.concat([gif, Buffer.of(n)]),
  }))
  await sendFiles(api, event._id, files)
  const uploads = await listUploads(stand)
  const page = await call(api, listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
    query: { limit: '1' },
  })
  const other = await newOrganiser(api)
  meaningful = {
    eventId: [event._id],
    uploadId: uploads.map(({ _id }) => _id),
    limit: ['1', '1000'],
    after: [page.body.nextCursor as string],
    email: [organiser.user.email],
    password: [organiser.password],
    refreshToken: [other.refreshToken],
    startDate: ['2026-06-01'],
    endDate: ['2026-06-02'],
    eventFor: [organiser.user._id],
    photoCredit: ['Table 4'],
    name: ['Wedding'],
    subject: ['A new event'],
    message: ['Please.'],
  }
  tokens = [admin.token, admin.token, organiser.token, organiser.token, undefined, 'no.such.token']
}, 120_000)
afterAll(() => stand.system.stop())

const operationOf = (id: string): Operation => {
  const operation = document.operations.find((each) => each.id === id)
  if (!operation) throw new Error(`${id} is not in the document`)
  return operation
}

const tried = async (operation: Operation, input: Call, token?: string) => {
  const response = await send(stand.api, operation, input, token)
  return { status: response.status, answer: await judge(document, operation, input, response) }
}

const routes = Object.entries<RouteContract>(publicRoutes)

test.each(routes.filter(([, { params, query, body }]) => params ?? query ?? body))(
  'When %s gets operators of the database for values, then it refuses them',
  async (id, contract) => {
    const operation = operationOf(id)
    for (const [status, input] of operatorCalls(operation, plainCallOf(operation, meaningful)))
      expect([input, (await tried(operation, input, tokenFor(contract, stand))).status]).toEqual([
        input,
        status,
      ])
  },
)

/** What of a page stays the same when it is asked for again: links do not. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) => (/url$/i.test(name) ? undefined : value))

test.each(Object.entries({ listEventUploads, listMyEventUploads }))(
  'When %s gets operators in the names of its parameters, then it answers as without them',
  async (id, contract) => {
    const operation = operationOf(id)
    const plain = plainCallOf(operation, meaningful)
    for (const input of [plain, { ...plain, parameters: { eventId: stand.event._id } }]) {
      const { status, answer } = await tried(operation, input, tokenFor(contract, stand))
      expect(status).toBe(200)
      for (const name of operatorNames(operation)) {
        const given = await tried(
          operation,
          { ...input, moreQuery: [[name, '2']] },
          tokenFor(contract, stand),
        )
        expect([name, given.status, lasting(given.answer)]).toEqual([name, 200, lasting(answer)])
      }
    }
  },
)

test.each(routes)(
  'When %s is called with anything, then it answers as the document says',
  async (id, contract) => {
    const operation = operationOf(id)
    const own = id === 'register' ? { ...meaningful, email: [randomEmail()] } : meaningful
    const plain = plainCallOf(operation, own)
    expect((await tried(operation, plain, tokenFor(contract, stand))).status).toBeLessThan(300)
    for (const body of operation.bodyType === 'application/json' ? oddTexts : [])
      await tried(operation, { ...plain, body }, stand.admin.token)

    const inputs = fc.record({
      input: callsOf(document, operation, own),
      token: fc.constantFrom(...tokens),
    })
    const property = fc.asyncProperty(inputs, async ({ input, token }) => {
      await tried(operation, input, token)
    })
    await fuzz(id, property, { share: 1 / 18 })
  },
  FUZZ_TIME_LIMIT_MS,
)

test('When all of that is over, then nobody has become an admin, and no service has seen an error', async () => {
  const { api, system } = stand
  const newcomer = await newOrganiser(api)
  expect(newcomer.user.role).toBe('user')
  expect((await call(api, publicRoutes.listUsers, { token: newcomer.token })).status).toBe(403)
  expect(troublesIn(system.log)).toEqual([])
})
