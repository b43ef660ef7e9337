import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Tool {
  program: string
  debianPackage: string
}

const canInstallPackages = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const installScript = fileURLToPath(new URL('./install-packages.sh', import.meta.url))

const findMissing = async (tools: readonly Tool[]): Promise<Tool[]> => {
  const paths = await Promise.all(tools.map(({ program }) => findProgram(program)))
  return tools.filter((_, index) => !paths[index])
}

/**
 * Installs the Debian packages of missing programs, if apt-get exists and the process runs as root (10
 * minutes at most). Returns the programs that are still missing; a failed installation is reported, not
 * thrown.
 */
export const ensurePrograms = async (
  tools: readonly Tool[],
  report: (line: string) => void,
): Promise<string[]> => {
  const missing = await findMissing(tools)
  if (missing.length === 0 || !canInstallPackages()) return missing.map(({ program }) => program)

  const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))]
  report(`installing ${packages.join(', ')} ...`)
  // The script's policy-rc.d file is global to the machine, so flock serializes installations.
  const args = ['/run/lock/confetti-packages', 'sh', installScript, ...packages]
  const { ok, output } = await runCommand('flock', args, { timeoutSeconds: 600 })
  if (!ok) report(`apt-get could not install ${packages.join(', ')}:\n${lastLines(output, 5)}`)
  return (await findMissing(tools)).map(({ program }) => program)
}

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
