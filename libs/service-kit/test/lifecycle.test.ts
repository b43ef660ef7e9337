import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'

const service = `
  import { createService, runService, serviceConfig } from '@confetti/service-kit'
  const environment = { PORT: '0', METRICS_PORT: '0', SHUTDOWN_DELAY_MS: '0' }
  await runService(serviceConfig, environment, (config, host) => createService('example', config, host))
  setInterval(() => undefined, 1_000)
  console.log('running')
`

/** The status after an uncaught error; Node's own is 7, where what handles it fails, too. */
const failures = [1, 7]

test.each([
  // The closed output is an error as soon as it is noticed.
  ['is stopped', '', [0, ...failures]],
  ['fails', "process.once('SIGTERM', () => { throw new Error('broken') })", failures],
])(
  'When the log output of a service that %s is closed, then it ends',
  async (_, onSignal, exitCodes) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', service + onSignal], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.kill('SIGTERM')
    const [exitCode] = (await exited) as [number | null]
    expect(exitCodes).toContain(exitCode)
  },
  30_000,
)

const BYTES = 1_000_000
const server = `
  import { createService, runService, serviceConfig } from '@confetti/service-kit'
  const environment = { PORT: '0', METRICS_PORT: '0', SHUTDOWN_DELAY_MS: '0' }
  const send = (request, response) => {
    response.on('finish', () => console.log('finished'))
    response.setHeader('Connection', 'close').end(Buffer.alloc(${BYTES}, 'x'))
  }
  await runService(serviceConfig, environment, async (config, host) => {
    const { listen } = await createService('example', config, host)
    return listen(send)
  })
`

test('When a service stops and a client has not taken its response, then it waits until the client has', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', server], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let output = ''
  const outputHas = (words: string) =>
    eventually(() => output.includes(words), `the output of ${JSON.stringify(words)}`)
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await outputHas('"listening"')
  const port = Number(/"port":(\d+)/.exec(output)?.[1])

  // It reads nothing: the kernel of the service keeps what does not fit into that of the client.
  const client = connect({ port, host: '127.0.0.1' })
  client.write('GET / HTTP/1.1\r\nHost: example\r\n\r\n')
  await outputHas('finished')
  child.kill('SIGTERM')
  await outputHas('shutting down')
  // A process without this step ends within some milliseconds, so it would be gone before the client reads.
  const isRunning = Symbol('running')
  expect(await Promise.race([exited, sleep(1_000, isRunning)])).toBe(isRunning)
  expect((await text(client)).length).toBeGreaterThan(BYTES)
  expect(await exited).toEqual([0, null])
})
