import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findProgram, run, tail } from './programs.ts'

export interface Tool {
  program: string
  debianPackage: string
}

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const script = fileURLToPath(new URL('./install-packages.sh', import.meta.url))

const missingOf = async (tools: readonly Tool[]): Promise<Tool[]> => {
  const found = await Promise.all(tools.map(({ program }) => findProgram(program)))
  return tools.filter((_, index) => !found[index])
}

/**
 * Installs the packages of those programs that are not there, where apt and root's rights allow it (10 minutes
 * at most). Answers which programs are still missing, and reports why.
 */
export const ensurePrograms = async (
  tools: readonly Tool[],
  report: (line: string) => void,
): Promise<string[]> => {
  const missing = await missingOf(tools)
  if (missing.length === 0 || !canInstall()) return missing.map(({ program }) => program)

  const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))]
  report(`installing ${packages.join(', ')} ...`)
  // flock: the guard against starting services is one for the machine, so installs go one by one.
  const { ok, output } = await run('flock', ['/run/lock/confetti-packages', 'sh', script, ...packages], {
    seconds: 600,
  })
  if (!ok) report(`apt-get could not install ${packages.join(', ')}:\n${tail(output, 5)}`)
  return (await missingOf(tools)).map(({ program }) => program)
}
