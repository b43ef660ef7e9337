import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { serviceNames } from '@confetti/launcher'
import { eventually, readGauge, readSample } from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { beforeAll, expect, test } from '@jest/globals'
import { listUploads, type Harness } from './harness.ts'
import { joinReplicatedSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinReplicatedSystem()
})

test.each(serviceNames)(
  'When %s runs, then its health checks succeed, and its metrics are served on a separate port',
  async (name) => {
    const [service] = harness.system.replicas(name)
    const { url = '', metricsUrl = '' } = service ?? {}
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    const ready = await eventually(async () => {
      const response = await fetch(`${url}/readyz`)
      return response.ok && response
    }, 'readiness')
    expect(((await ready.json()) as { status: string }).status).toBe('ok')
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect(await (await fetch(metricsUrl)).text()).toContain('process_resident_memory_bytes')
  },
)

test('When a service is started with an invalid configuration, then it names the invalid variables and exits', async () => {
  await expect(
    harness.system.run('gateway', 'src/main.ts', [], { PORT: '', METRICS_PORT: 'ninety' }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/PORT is not set\n\s+METRICS_PORT: (?!.*ninety)/),
  })
})

test('When a service is stopped during an upload, then it finishes the upload and accepts no new connections', async () => {
  const [service] = harness.system.replicas('uploads')
  const photo = await readSample('phone-jolla.jpg')
  const form = buildUploadForm({ eventId: harness.event._id, credit: 'Table 3', name: 'last.jpg' })
  const status = Promise.withResolvers<number>()
  const upload = request(`${service?.url ?? ''}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': form.contentType },
  })
  upload.on('response', (response) => status.resolve(response.resume().statusCode ?? 0))
  upload.on('error', status.reject)
  upload.write(form.head)
  upload.write(photo.subarray(0, 400_000))
  await eventually(async () => (await readGauge(harness.system, 'uploads', 'uploads_bytes_in_flight')) > 0)

  const exitCode = service?.stop()
  await eventually(
    () =>
      fetch(`${service?.url ?? ''}/healthz`).then(
        () => false,
        () => true,
      ),
    'the refusal of new connections',
  )
  upload.write(photo.subarray(400_000))
  upload.end(form.end)
  expect(await status.promise).toBe(201)
  expect(await exitCode).toBe(0)
  expect((await listUploads(harness)).map(({ originalName }) => originalName)).toContain('last.jpg')
  await service?.restart()
})

test('When the process that started a service is killed, then the service ends', async () => {
  const script = `
    import { startService } from '@confetti/launcher'
    const service = await startService('gateway', ${JSON.stringify(harness.system.environment('gateway'))})
    console.log(service.pid())
    setInterval(() => undefined, 1_000)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
  const pid = Number(line)
  const isRunning = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  expect(isRunning()).toBe(true)
  parent.kill('SIGKILL')
  await eventually(() => !isRunning(), 'the service having ended')
})
