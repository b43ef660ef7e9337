import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { startService } from '@confetti/launcher'
import { eventually, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startServiceHandover, type HandedOverService, type ServiceHandover } from './service-handover.ts'

let system: TestSystem
let handover: ServiceHandover
const reports: string[] = []

beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'] })
  handover = await startServiceHandover(system, (line) => reports.push(line))
})

afterAll(async () => {
  await handover.close()
  await system.stop()
})

const takeOver = async (url: string): Promise<IncomingMessage> => {
  const [response] = (await once(request(url, { method: 'POST' }).end(), 'response')) as [IncomingMessage]
  return response
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('When a service is taken over, then another process can replace it until the connection closes', async () => {
  const connection = await takeOver(`${handover.url}/auth`)
  const [line] = (await once(createInterface({ input: connection }), 'line')) as [string]
  const { name, environment } = JSON.parse(line) as HandedOverService
  expect(name).toBe('auth')
  expect(await isReady(system.url('auth'))).toBe(false)
  expect((await takeOver(`${handover.url}/auth`)).statusCode).toBe(409)

  const replacement = await startService(name, environment)
  expect(replacement.url).toBe(system.url('auth'))
  await eventually(() => isReady(system.url('auth')), 'the replacement is ready')
  await replacement.stop()

  connection.destroy()
  await eventually(() => isReady(system.url('auth')), 'the service is ready again')
  expect(reports).toEqual(['npm run dev has taken over auth', 'auth was started again'])
})

test.each(['auth', 'nothing/auth', ''])(
  'When the path is /%s without the token, then the response is 404',
  async (path) => {
    const { origin } = new URL(handover.url)
    expect((await takeOver(`${origin}/${path}`)).statusCode).toBe(404)
  },
)

test('When a service is not part of the system, then the response is 404', async () => {
  expect((await takeOver(`${handover.url}/media`)).statusCode).toBe(404)
  expect((await takeOver(`${handover.url}/unknown`)).statusCode).toBe(404)
})
