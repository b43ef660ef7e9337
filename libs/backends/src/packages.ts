import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findProgram, lastLines, runCommand } from './programs.ts'

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
