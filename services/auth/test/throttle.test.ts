import { randomInt } from 'node:crypto'
import { login, register } from '@confetti/contracts'
import { call, randomEmail, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
const from = (address: string) => ({ 'X-Forwarded-For': address })
const refusal = { status: 429, body: { message: 'Too many attempts. Please try again later.' } }

const limits = { SIGN_IN_FAILURES_PER_ADDRESS: '25', REGISTRATIONS_PER_ADDRESS: '5' }

describe.each([
  ['two replicas count together in Redis', { replicas: { auth: 2 } }],
  ['a process counts for itself while Redis is away', { backends: { redis: 'redis://127.0.0.1:1' } }],
])('Throttling: %s', (_, options) => {
  let system: TestSystem
  let auth: string
  beforeAll(async () => {
    system = await startTestSystem({ services: ['auth'], environment: { auth: limits }, ...options })
    auth = system.url('auth')
  })
  afterAll(() => system.stop())

  const newAccount = async () => {
    const credentials = { email: randomEmail(), password: 'right' }
    await call(auth, register, { body: credentials, headers: from(randomAddress()) })
    return credentials
  }
  const signIn = (body: { email: string; password: string }, address: string) =>
    call(auth, login, { body, headers: from(address) })

  test('When an address has failed ten times at an account, then it may not go on there, but others may', async () => {
    const account = await newAccount()
    const wrong = { ...account, password: 'wrong' }
    const address = randomAddress()
    const replies = await Promise.all(Array.from({ length: 14 }, () => signIn(wrong, address)))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])

    const refused = await signIn(account, address)
    expect(refused).toMatchObject(refusal)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(900)

    expect((await signIn(account, randomAddress())).status).toBe(200)
    expect((await signIn(await newAccount(), address)).status).toBe(200)
  })

  test('Signing in rightly never uses up attempts', async () => {
    const account = await newAccount()
    const address = randomAddress()
    for (let i = 0; i < 12; i += 1) expect((await signIn(account, address)).status).toBe(200)
    expect((await signIn({ ...account, password: 'wrong' }, address)).status).toBe(401)
  })

  test('When an address has failed too often at any accounts, then it may not sign in', async () => {
    const address = randomAddress()
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => signIn({ email: randomEmail(), password: 'x' }, address)),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(25)
    expect(await signIn(await newAccount(), address)).toMatchObject(refusal)
  })

  test('When an address has registered too many accounts, then it has to wait', async () => {
    const address = randomAddress()
    const attempt = () =>
      call(auth, register, { body: { email: randomEmail(), password: 'x' }, headers: from(address) })
    for (let i = 0; i < 5; i += 1) expect((await attempt()).status).toBe(201)
    const refused = await attempt()
    expect(refused).toMatchObject(refusal)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('A client that invents addresses in front of its own is still itself', async () => {
    const account = await newAccount()
    const address = randomAddress()
    const replies = []
    for (let i = 0; i < 11; i += 1)
      replies.push(await signIn({ ...account, password: 'wrong' }, `${randomAddress()}, ${address}`))
    expect(replies.at(-1)).toMatchObject(refusal)
  })
})
