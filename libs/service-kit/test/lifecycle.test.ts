import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'

const service = `
  import { createService, serviceConfig } from '@confetti/service-kit'
  const config = serviceConfig.parse({ PORT: '0', METRICS_PORT: '0', SHUTDOWN_DELAY_MS: '0' })
  await createService('example', config)
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
