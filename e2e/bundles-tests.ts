import { readSample, sendDirect, sendFiles } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { waitForProcessing, type Harness } from './harness.ts'
import { joinBundledSystem } from './shared-system.ts'

let harness: Harness
beforeAll(async () => {
  harness = await joinBundledSystem()
}, 300_000)

// One for each decoder: sharp, libheif and ffmpeg.
test.each(['camera-gps.jpg', 'small.heif', 'video.mp4'] as const)(
  'When services run from bundles, then %s is stored and processed',
  async (name) => {
    const { api, event } = harness
    const file = { name, bytes: await readSample(name) }
    const { body } = await sendDirect(api, event._id, file)
    expect(await waitForProcessing(harness, body.uploads[0]._id)).toMatchObject({ status: 'ready' })
    const again = await sendFiles(api, event._id, [file])
    expect(again.body.uploads[0]).toMatchObject({ _id: body.uploads[0]._id, duplicate: true })
  },
)

test('When services run from bundles, then the API page and the command for admins work', async () => {
  for (const path of ['/api/docs', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json'])
    expect((await fetch(`${harness.api}${path}`)).status).toBe(200)
  const output = await harness.system.run('auth', 'dist/create-admin.js', ['bundle@confetti.test'], {
    ADMIN_PASSWORD: 'a password that is long enough',
  })
  expect(output).toContain('Admin bundle@confetti.test created.')
})
