import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ToolName, Tools } from './tools.ts'

/** The top of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

// Handed over by scripts/test.ts.
const tools = JSON.parse(process.env.CONFETTI_OPS_TOOLS ?? '{}') as Partial<Tools>

/** Runs a tool at the top of the checkout; resolves with its output. Rejects with all that it said if it finds fault. */
export const runTool = async (
  name: ToolName,
  args: readonly string[],
  { cwd = root, input = '' }: { cwd?: string; input?: string } = {},
): Promise<string> => {
  const program = tools[name]
  if (!program) throw new Error(`${name} was not handed over: run npm run ops:check`)
  // Programs from Python find their modules beside them.
  const env = { ...process.env, PYTHONPATH: fileURLToPath(new URL('..', `file://${program}`)) }
  const running = promisify(execFile)(program, args, { cwd, env, timeout: 50_000, maxBuffer: 2 ** 26 })
  running.child.stdin?.end(input)
  return running.then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
      throw new Error(`${name} ${args.join(' ')}\n${stdout || stderr ? `${stdout}${stderr}` : message}`)
    },
  )
}
