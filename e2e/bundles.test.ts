import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serviceNames, services } from '@confetti/launcher'
import { readSample, sampleNames, sendDirect, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startHarness, waitForProcessing, type Harness } from './harness.ts'

// Images run services from bundles.

const root = fileURLToPath(new URL('../', import.meta.url))
let harness: Harness

beforeAll(async () => {
  const folders = serviceNames.map((name) => services[name].folder)
  await promisify(execFile)(process.execPath, ['libs/bundler/src/bundle-service.ts', ...folders], {
    cwd: root,
  })
  // The decoder that is part of the bundle. By default, a program decodes HEIC if there is one.
  harness = await startHarness({ bundled: true, environment: { media: { HEIF_DECODER: 'libheif-js' } } })
}, 300_000)
afterAll(() => harness.system.stop())

test.each(sampleNames)('When services run from bundles, then %s is stored and processed', async (name) => {
  const { api, event } = harness
  const file = { name, bytes: await readSample(name) }
  const { body } = await sendDirect(api, event._id, file)
  expect(await waitForProcessing(harness, body.uploads[0]._id)).toMatchObject({ status: 'ready' })
  const again = await sendFiles(api, event._id, [file])
  expect(again.body.uploads[0]).toMatchObject({ _id: body.uploads[0]._id, duplicate: true })
})

test('When services run from bundles, then the API page and the command for admins work', async () => {
  for (const path of ['/api/docs', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json'])
    expect((await fetch(`${harness.api}${path}`)).status).toBe(200)
  const output = await harness.system.run('auth', 'dist/create-admin.js', ['bundle@confetti.test'], {
    ADMIN_PASSWORD: 'a password that is long enough',
  })
  expect(output).toContain('Admin bundle@confetti.test created.')
})
