import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient } from '@azure/storage-blob'
import { startBackend, type Backend } from '@confetti/backends'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { allowBrowsers } from '../src/storage/cors-rule.ts'

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

const readersOf = async (): Promise<string[]> =>
  ((await service.getProperties()).cors ?? []).map(({ allowedOrigins }) => allowedOrigins)

test('When the account has rules of others, then they stay, and our rule is added once and changes with the origins', async () => {
  const other = 'https://other.example'
  await service.setProperties({
    cors: [
      {
        allowedOrigins: other,
        allowedMethods: 'PUT',
        allowedHeaders: 'x-ms-blob-type',
        exposedHeaders: '',
        maxAgeInSeconds: 60,
      },
    ],
  })
  await allowBrowsers(service, 'https://a.example', undefined)
  await allowBrowsers(service, 'https://a.example', 'https://a.example')
  expect(await readersOf()).toEqual([other, 'https://a.example'])
  await allowBrowsers(service, 'https://a.example,https://b.example', 'https://a.example')
  expect(await readersOf()).toEqual([other, 'https://a.example,https://b.example'])
})
