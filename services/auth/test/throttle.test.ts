import { randomInt } from 'node:crypto'
import { login, register } from '@confetti/contracts'
import { call, eventually, randomEmail, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { connectDatabase } from './account-fixtures.ts'

const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
const from = (address: string) => ({ 'X-Forwarded-For': address })
const tooManyAttempts = { status: 429, body: { message: 'Too many attempts. Please try again later.' } }

const DAY_MS = 24 * 3_600_000
const limits = {
  SIGN_IN_FAILURES_PER_ADDRESS: '25',
  REGISTRATIONS_PER_ADDRESS: '5',
  SESSION_SWEEP_SECONDS: '1',
}

describe.each([
  ['two replicas share counters in Redis', { replicas: { auth: 2 } }],
  [
    'a process keeps its own counters while Redis is unavailable',
    { backends: { redis: 'redis://127.0.0.1:1' } },
  ],
])('Rate limits: %s', (_, options) => {
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

  test('When an address has failed ten times at an account, then only this pair is blocked', async () => {
    const account = await newAccount()
    const wrong = { ...account, password: 'wrong' }
    const address = randomAddress()
    const responses = await Promise.all(Array.from({ length: 14 }, () => signIn(wrong, address)))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])

    const rejected = await signIn(account, address)
    expect(rejected).toMatchObject(tooManyAttempts)
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(rejected.headers.get('Retry-After'))).toBeLessThanOrEqual(900)

    expect((await signIn(account, randomAddress())).status).toBe(200)
    expect((await signIn(await newAccount(), address)).status).toBe(200)
  })

  test('Successful sign-ins do not count', async () => {
    const account = await newAccount()
    const address = randomAddress()
    for (let i = 0; i < 12; i += 1) expect((await signIn(account, address)).status).toBe(200)
    expect((await signIn({ ...account, password: 'wrong' }, address)).status).toBe(401)
  })

  test('When an address has failed too often at any accounts, then it cannot sign in', async () => {
    const address = randomAddress()
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => signIn({ email: randomEmail(), password: 'x' }, address)),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(25)
    expect(await signIn(await newAccount(), address)).toMatchObject(tooManyAttempts)
  })

  test('When an account has signed in from an address before, then it is not locked out with the address, and has ten failures of its own', async () => {
    const [organiser, elsewhere] = [await newAccount(), await newAccount()]
    const address = randomAddress()
    expect((await signIn(organiser, address)).status).toBe(200)
    expect((await signIn(elsewhere, randomAddress())).status).toBe(200)
    await Promise.all(
      Array.from({ length: 30 }, () => signIn({ email: randomEmail(), password: 'x' }, address)),
    )
    expect(await signIn(elsewhere, address)).toMatchObject(tooManyAttempts)
    expect((await signIn(organiser, address)).status).toBe(200)

    const wrong = { ...organiser, password: 'wrong' }
    const failures = await Promise.all(Array.from({ length: 14 }, () => signIn(wrong, address)))
    const statuses = failures.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect(await signIn(organiser, address)).toMatchObject(tooManyAttempts)

    const database = await connectDatabase(system)
    const known = await database.collection('knownaddresses').find().toArray()
    for (const secret of [organiser.email, address]) expect(JSON.stringify(known)).not.toContain(secret)
    await database.close()
  })

  test('When thirty days have passed since an account signed in from an address, then it is forgotten', async () => {
    const account = await newAccount()
    const address = randomAddress()
    const { body } = await signIn(account, address)
    const database = await connectDatabase(system)
    const known = database.collection('knownaddresses')
    const [{ expiresAt } = { expiresAt: undefined }] = await known.find({ userId: body.user._id }).toArray()
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(29 * DAY_MS)
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(30 * DAY_MS)
    await known.updateOne({ userId: body.user._id }, { $set: { expiresAt: new Date() } })
    await Promise.all(
      Array.from({ length: 30 }, () => signIn({ email: randomEmail(), password: 'x' }, address)),
    )
    expect(await signIn(account, address)).toMatchObject(tooManyAttempts)
    await eventually(async () => (await known.countDocuments({ userId: body.user._id })) === 0, 'its removal')
    await database.close()
  })

  test('When an address has registered too many accounts, then the next registration is rejected', async () => {
    const address = randomAddress()
    const attempt = () =>
      call(auth, register, { body: { email: randomEmail(), password: 'x' }, headers: from(address) })
    for (let i = 0; i < 5; i += 1) expect((await attempt()).status).toBe(201)
    const rejected = await attempt()
    expect(rejected).toMatchObject(tooManyAttempts)
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('When a client adds false entries to X-Forwarded-For, then the last entry counts', async () => {
    const account = await newAccount()
    const address = randomAddress()
    const responses = []
    for (let i = 0; i < 11; i += 1)
      responses.push(await signIn({ ...account, password: 'wrong' }, `${randomAddress()}, ${address}`))
    expect(responses.at(-1)).toMatchObject(tooManyAttempts)
  })
})
