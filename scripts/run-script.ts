import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './paths.ts'

/**
 * Runs another script of this folder. Resolves with whether it succeeded. A signal that ends this process ends that script
 * first, which stops what it has started.
 */
export const runScript = async (
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<boolean> => {
  const script = spawn(process.execPath, [join(root, 'scripts', name), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
    script.kill('SIGTERM')
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = (await once(script, 'exit')) as [number | null]
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stopping.signal.aborted) process.exit(1)
  return code === 0
}
