import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient, RestError, type CorsRule } from '@azure/storage-blob'
import { startBackend, type Backend } from '@confetti/backends'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { allowBrowsers } from '../src/storage/blob-account.ts'

let folder: string
let backend: Backend
let service: BlobServiceClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-cors-'))
  // Rules belong to the whole account, and other tests use that of the shared server.
  backend = await startBackend('blob', { dataDir: folder, report: () => undefined })
  service = BlobServiceClient.fromConnectionString(backend.url)
})
afterAll(async () => {
  await backend.stop()
  await rm(folder, { recursive: true })
})

const warnings: unknown[] = []
const logger = { warn: (...args: unknown[]) => void warnings.push(args[0]) }

const ruleOf = (allowedOrigins: string): CorsRule => ({
  allowedOrigins,
  allowedMethods: 'PUT',
  allowedHeaders: 'x-ms-blob-type',
  exposedHeaders: '',
  maxAgeInSeconds: 60,
})

const readersOf = async (): Promise<string[]> =>
  ((await service.getProperties()).cors ?? []).map(({ allowedOrigins }) => allowedOrigins)

test('When the account has rules of others, then they stay, and our rule is added once and changes with the origins', async () => {
  const other = 'https://other.example'
  await service.setProperties({ cors: [ruleOf(other)] })
  await allowBrowsers(service, { origins: 'https://a.example', logger })
  await allowBrowsers(service, { origins: 'https://a.example', previousOrigins: 'https://a.example', logger })
  expect(await readersOf()).toEqual([other, 'https://a.example'])
  await allowBrowsers(service, {
    origins: 'https://a.example,https://b.example',
    previousOrigins: 'https://a.example',
    logger,
  })
  expect(await readersOf()).toEqual([other, 'https://a.example,https://b.example'])
})

test('When another installation overwrites the rules at the same time, then both have theirs', async () => {
  await service.setProperties({ cors: [] })
  let isOverwritten = false
  const racing: Pick<BlobServiceClient, 'getProperties' | 'setProperties'> = {
    getProperties: () => service.getProperties(),
    setProperties: async (properties) => {
      const response = await service.setProperties(properties)
      if (!isOverwritten) await service.setProperties({ cors: [ruleOf('https://other.example')] })
      isOverwritten = true
      return response
    },
  }
  expect(await allowBrowsers(racing, { origins: 'https://a.example', logger })).toBe(true)
  expect(await readersOf()).toEqual(['https://other.example', 'https://a.example'])
})

test.each([
  [400, 'has five rules already'],
  [403, 'does not permit it'],
])(
  'When the account answers %d, as it %s, then the existing rules are logged and the service goes on',
  async (statusCode) => {
    const five = [1, 2, 3, 4, 5].map((number) => ruleOf(`https://${number}.example`))
    await service.setProperties({ cors: five })
    const full: Pick<BlobServiceClient, 'getProperties' | 'setProperties'> = {
      getProperties: () => service.getProperties(),
      setProperties: () => Promise.reject(new RestError('Rejected', { statusCode })),
    }
    warnings.length = 0
    expect(await allowBrowsers(full, { origins: 'https://a.example', logger })).toBe(false)
    expect(warnings).toEqual([{ existing: five.map(({ allowedOrigins }) => allowedOrigins) }])
  },
)
