import { request } from 'node:http'
import { eventually, gauge, sample } from '@confetti/test-kit'
import { formAround } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, startStand, type Stand } from './stand.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand({ replicas: { uploads: 2 } })
}, 120_000)
afterAll(() => stand.system.stop())

const names = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway'] as const

test.each(names)(
  'When %s runs, then it says that it is alive and ready, and its metrics are on a port of their own',
  async (name) => {
    const [service] = stand.system.replicas(name)
    const { url = '', metricsUrl = '' } = service ?? {}
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, ((await ready.json()) as { status: string }).status]).toEqual([200, 'ok'])
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect(await (await fetch(metricsUrl)).text()).toContain('process_resident_memory_bytes')
  },
)

test.each(names)(
  'When %s is started without its configuration, then it names what is missing and ends',
  async (name) => {
    await expect(
      stand.system.run(name, 'src/main.ts', [], { PORT: '', METRICS_PORT: 'ninety' }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/PORT is not set\n\s+METRICS_PORT: (?!.*ninety)/),
    })
  },
)

test('When a service is told to stop in the middle of an upload, then it finishes that one and takes no new ones', async () => {
  const [service] = stand.system.replicas('uploads')
  const photo = await sample('phone-jolla.jpg')
  const form = formAround({ eventId: stand.event._id, credit: 'Table 3', name: 'last.jpg' })
  const answer = Promise.withResolvers<number>()
  const sending = request(`${service?.url ?? ''}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': form.contentType },
  })
  sending.on('response', (response) => answer.resolve(response.resume().statusCode ?? 0))
  sending.on('error', answer.reject)
  sending.write(form.head)
  sending.write(photo.subarray(0, 400_000))
  await eventually(async () => (await gauge(stand.system, 'uploads', 'uploads_bytes_in_flight')) > 0)

  const ended = service?.stop()
  await eventually(
    () =>
      fetch(`${service?.url ?? ''}/healthz`).then(
        () => false,
        () => true,
      ),
    'refusing new connections',
  )
  sending.write(photo.subarray(400_000))
  sending.end(form.end)
  expect(await answer.promise).toBe(201)
  expect(await ended).toBe(0)
  expect((await listUploads(stand)).map(({ originalName }) => originalName)).toContain('last.jpg')
  await service?.restart()
})
