import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

interface CommandResult {
  ok: boolean
  /** stdout and stderr, trimmed. */
  output: string
}

/** Runs a command until it exits. Never rejects: a missing program or a timeout has `ok: false`. */
export const runCommand = (
  command: string,
  args: string[],
  {
    timeoutSeconds = 30,
    ...options
  }: { timeoutSeconds?: number; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    execFile(
      command,
      args,
      { ...options, timeout: timeoutSeconds * 1000, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        const timeoutNote = error?.killed ? `\ntimed out after ${timeoutSeconds} s` : ''
        resolve({ ok: !error, output: `${stdout}${stderr}${timeoutNote}`.trim() || (error?.message ?? '') })
      },
    )
  })

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

export const lastLines = (text: string, count: number): string =>
  text.trimEnd().split('\n').slice(-count).join('\n')

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

// Packages install servers here, but an ordinary user's PATH may not include these directories.
const serverDirs = ['/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin']

/** Returns the path of a program: from the preferred directories, PATH, or where packages install servers. */
export const findProgram = async (
  name: string,
  preferredDirs: string[] = [],
): Promise<string | undefined> => {
  const preferred = await findInDirs(preferredDirs, name)
  if (preferred) return preferred
  const { ok, output } = await runCommand('sh', ['-c', 'command -v "$1"', 'sh', name])
  return ok ? output : findInDirs(serverDirs, name)
}

const findInDirs = async (directories: string[], name: string): Promise<string | undefined> => {
  for (const directory of directories) {
    const path = join(directory, name)
    if (await isExecutable(path)) return path
  }
  return undefined
}
