import { publicRoutes } from '@confetti/contracts'
import { call, newOrganiser, randomEmail, sample, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { listUploads, startStand, type Stand } from '../stand.ts'
import { problemsOf, readApiDocument, type ApiDocument, type Operation } from './api-document.ts'
import { callsOf, plainCallOf, type Call, type Meaningful } from './api-inputs.ts'
import { fuzz, FUZZ_TIME_LIMIT_MS } from './fuzz.ts'
import { oddTexts } from './odd-values.ts'
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
  const page = await call(api, publicRoutes.listEventUploads, {
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

const gif = Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex')

/** The fields of an upload form as the document has them, each second file being none of ours. */
const formOf = ({ media, ...fields }: Record<string, unknown>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [n, text] of ((media ?? []) as string[]).entries())
    form.append('media', new Blob(n % 2 ? [text] : [gif, text]), 'a.gif')
  return form
}

const send = async (
  { method, path, bodyType }: Operation,
  input: Call,
  token?: string,
): Promise<Response> => {
  const rest = { ...input.parameters }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? ''
    Reflect.deleteProperty(rest, name)
    return encodeURIComponent(value.toWellFormed())
  })
  const isForm = bodyType === 'multipart/form-data'
  return fetch(`${stand.api}${filled}?${new URLSearchParams(rest)}`, {
    method: method.toUpperCase(),
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(bodyType && !isForm && { 'Content-Type': input.contentType }),
    },
    ...(input.body !== undefined && {
      body: isForm ? formOf(JSON.parse(input.body) as Record<string, unknown>) : input.body,
    }),
    signal: AbortSignal.timeout(20_000),
  })
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Proves that an answer is one that the document has, and that what is not as it says is not taken. */
const judge = async (operation: Operation, input: Call, response: Response): Promise<void> => {
  const { status } = response
  const documented = operation.responses[status]?.content['application/json']?.schema
  expect([operation.id, status, documented && 'documented']).toEqual([operation.id, status, 'documented'])
  expect(status).toBeLessThan(500)
  expect(problemsOf(document, documented ?? {}, await response.json())).toEqual([])
  if (operation.body && response.ok)
    expect(problemsOf(document, operation.body, parsed(input.body))).toEqual([])
}

test.each(Object.keys(publicRoutes))(
  'When %s is called with anything, then it answers as the document says',
  async (id) => {
    const operation = document.operations.find((each) => each.id === id)
    if (!operation) throw new Error(`${id} is not in the document`)
    const own = id === 'register' ? { ...meaningful, email: [randomEmail()] } : meaningful
    const tried = async (input: Call, token?: string): Promise<number> => {
      const response = await send(operation, input, token)
      await judge(operation, input, response)
      return response.status
    }
    const plain = plainCallOf(operation, own)
    // One of the two may make any call.
    const [first, second] = [await tried(plain, stand.admin.token), await tried(plain, stand.organiser.token)]
    expect(Math.min(first, second)).toBeLessThan(300)
    for (const body of operation.bodyType === 'application/json' ? oddTexts : [])
      await tried({ ...plain, body }, stand.admin.token)

    const inputs = fc.record({
      input: callsOf(document, operation, own),
      token: fc.constantFrom(...tokens),
    })
    const property = fc.asyncProperty(inputs, async ({ input, token }) => {
      await tried(input, token)
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
