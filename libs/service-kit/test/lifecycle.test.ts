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

/** Node's own, where what handles an uncaught error fails, too. */
const HANDLER_FAILED = 7

test.each([
  ['is stopped', '', 0],
  ['fails', "process.once('SIGTERM', () => { throw new Error('broken') })", HANDLER_FAILED],
])(
  'When the log output of a service that %s is closed, then it ends',
  async (_, onSignal, exitCode) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', service + onSignal], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(exitCode)
  },
  30_000,
)
