import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ToolName, Tools } from './tools.ts'

/** The root of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

// Set by scripts/test.ts and scripts/ops-check.ts.
const tools = JSON.parse(process.env.CONFETTI_OPS_TOOLS ?? '{}') as Partial<Tools>

interface RunOptions {
  cwd?: string
  input?: string
}

const run = async (
  name: ToolName,
  args: readonly string[],
  { cwd = root, input = '' }: RunOptions = {},
): Promise<{ stdout: string; stderr: string }> => {
  const program = tools[name]
  if (!program) throw new Error(`CONFETTI_OPS_TOOLS has no ${name}: start these tests by npm run ops:check`)
  // Python tools are installed with their modules in the folder above `bin`.
  const env = { ...process.env, PYTHONPATH: fileURLToPath(new URL('..', `file://${program}`)) }
  const running = promisify(execFile)(program, args, { cwd, env, timeout: 150_000, maxBuffer: 2 ** 26 })
  // A tool that reads nothing may have ended before: what it says is in its output.
  running.child.stdin?.on('error', () => undefined).end(input)
  return running.catch((error: unknown) => {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${name} ${args.join(' ')}\n${stdout || stderr ? `${stdout}${stderr}` : message}`)
  })
}

/**
 * Runs a tool, by default in the root of the checkout, for 50 s at most. Resolves with its standard output. Rejects
 * with its whole output if it ends with an error status.
 */
export const runTool = async (
  name: ToolName,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> => (await run(name, args, options)).stdout

/** Runs a tool as `runTool` does. Resolves with its standard error. */
export const readToolErrors = async (name: ToolName, args: readonly string[]): Promise<string> =>
  (await run(name, args)).stderr
