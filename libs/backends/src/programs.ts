import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

interface Outcome {
  ok: boolean
  /** What it wrote to both outputs, trimmed. */
  output: string
}

/** Runs a command to its end; a missing program and an exceeded time limit are outcomes that are not ok. */
export const run = (
  command: string,
  args: string[],
  { seconds = 30, ...options }: { seconds?: number; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(
      command,
      args,
      { ...options, timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        const late = error?.killed ? `\ngave up after ${seconds} s` : ''
        resolve({ ok: !error, output: `${stdout}${stderr}${late}`.trim() || (error?.message ?? '') })
      },
    )
  })

/** What an error says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The last lines of a text. */
export const tail = (text: string, lines: number): string =>
  text.trimEnd().split('\n').slice(-lines).join('\n')

const executable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

// Where packages put servers that an ordinary user's PATH leaves out.
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin']

/** Where a program is: in the preferred folders, on PATH, or where packages put servers. */
export const findProgram = async (name: string, preferred: string[] = []): Promise<string | undefined> => {
  const first = await findIn(preferred, name)
  if (first) return first
  const { ok, output } = await run('sh', ['-c', 'command -v "$1"', 'sh', name])
  return ok ? output : findIn(serverFolders, name)
}

const findIn = async (folders: string[], name: string): Promise<string | undefined> => {
  for (const folder of folders) {
    const path = join(folder, name)
    if (await executable(path)) return path
  }
  return undefined
}
