import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { login } from '@confetti/contracts'
import {
  call,
  eventually,
  recordMessages,
  newOrganiser,
  randomEmail,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let auth: string
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'] })
  auth = system.url('auth')
})
afterAll(() => system.stop())

/** Runs the command with `input` on its standard input. */
const createAdmin = async (args: string[], input: string, environment: Record<string, string> = {}) => {
  const command = spawn(process.execPath, ['src/create-admin.ts', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      MONGO_URL: new URL(`/${system.namespace}-auth`, system.backends.mongo).href,
      ...environment,
    },
  })
  // It may have ended before it reads, for example with invalid arguments.
  command.stdin.on('error', () => undefined).end(input)
  const exited = once(command, 'exit') as Promise<[number | null]>
  const [stdout, stderr, [status]] = await Promise.all([text(command.stdout), text(command.stderr), exited])
  return { stdout, stderr, status }
}

test('The first line of standard input is the password', async () => {
  const email = randomEmail()
  const result = await createAdmin([email.toUpperCase()], 'open sesame\nsomething else\n')
  expect(result).toEqual({ stdout: `Admin ${email} created.\n`, stderr: '', status: 0 })
  const { body } = await call(auth, login, { body: { email, password: 'open sesame' } })
  expect(body.user).toMatchObject({ email, role: 'admin' })
})

test('The password in the environment takes precedence, and the running service publishes user.registered', async () => {
  const recorded = await recordMessages(system)
  const email = randomEmail()
  expect((await createAdmin([email], 'other\n', { ADMIN_PASSWORD: 'this one' })).status).toBe(0)
  const { body } = await call(auth, login, { body: { email, password: 'this one' } })
  const message = await eventually(() =>
    recorded.ofType('user.registered.v1').find(({ data }) => data.email === email),
  )
  expect(message.data).toEqual(body.user)
  await recorded.close()
})

test('When the address has an account, then the command fails and its role does not change', async () => {
  const { user, password } = await newOrganiser(auth)
  const result = await createAdmin([user.email], 'another password\n')
  expect(result).toEqual({
    stdout: '',
    stderr: 'An account with this email already exists.\n',
    status: 1,
  })
  const { body } = await call(auth, login, { body: { email: user.email, password } })
  expect(body.user.role).toBe('user')
})

test.each([
  ['no address', [], 'x\n', /^Usage: /],
  ['an invalid address', ['admin'], 'x\n', /^Usage: /],
  ['no password', ['a@confetti.test'], '', /^No password was given\.\n$/],
  ['an empty password', ['a@confetti.test'], '\n', /^Email and password are required\.\n$/],
])('With %s the command fails', async (_, args, input, message) => {
  const { stdout, stderr, status } = await createAdmin(args, input)
  expect(stderr).toMatch(message)
  expect(stdout).toBe('')
  expect(status).toBe(1)
})

test('Without a database address the command names the variable', async () => {
  const { stderr, status } = await createAdmin(['a@confetti.test'], 'x\n', { MONGO_URL: '' })
  expect(stderr).toContain('MONGO_URL is not set')
  expect(status).toBe(1)
})
