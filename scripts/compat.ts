import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { remoteNames, type RemoteName } from '@confetti/federation/remote'

// Runs one remote in the shell, in a browser, against the contract that this shell publishes: by itself what this
// checkout has, with --at the remote as it was published, with --shell the shell as it was published.

const usage = `npm run compat -- remote [--at folder or address of its manifest] [--shell folder]
  remote: ${remoteNames.join(', ')}`

const read = (): { remote: RemoteName; at?: string | undefined; shell?: string | undefined } => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { at: { type: 'string' }, shell: { type: 'string' } },
  })
  const remote = remoteNames.find((name) => name === positionals[0])
  if (!remote || positionals.length > 1) throw new Error('Which remote?')
  return { remote, ...values }
}

const start = async (): Promise<void> => {
  const { remote, at, shell } = read()
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
