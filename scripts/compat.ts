import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { remoteNames, type RemoteName } from '@confetti/federation/remote'

// Runs one remote in the shell, in a browser, and checks it against the contract that this shell publishes.
// By default both are from this checkout. --at uses a published remote, --shell a published shell.

const usage = `npm run compat -- remote [--at folder or URL of its manifest] [--shell folder]
  remote: ${remoteNames.join(', ')}`

const parseOptions = (): { remote: RemoteName; at?: string | undefined; shell?: string | undefined } => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { at: { type: 'string' }, shell: { type: 'string' } },
  })
  const remote = remoteNames.find((name) => name === positionals[0])
  if (!remote || positionals.length > 1) throw new Error('Name one remote.')
  return { remote, ...values }
}

const start = async (): Promise<void> => {
  const { remote, at, shell } = parseOptions()
  const test = spawn(process.execPath, ['scripts/test.ts', 'e2e/remote-contract'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      COMPAT_REMOTE: remote,
      ...(at && { COMPAT_REMOTE_AT: /^https?:/.test(at) ? at : resolve(at) }),
      ...(shell && { COMPAT_SHELL_FILES: resolve(shell) }),
    },
  })
  process.on('SIGTERM', () => test.kill('SIGTERM'))
  const [code] = (await once(test, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}

try {
  await start()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  process.exitCode = 1
}
