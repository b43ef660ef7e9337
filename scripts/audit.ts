import { spawnSync } from 'node:child_process'
import { root } from './paths.ts'

// Lists the known vulnerabilities of the production dependencies, and fails if one is high or critical. It
// needs the registry of npm, so it is not part of `npm test`, which needs no network.

interface Report {
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable: unknown }>
  message?: string
}

const parse = (text: string): Report => {
  try {
    return JSON.parse(text) as Report
  } catch {
    return { message: text }
  }
}

const [registry] = process.argv.slice(2)
const audit = ['audit', '--omit=dev', '--json', ...(registry ? [`--registry=${registry}`] : [])]
const { stdout, stderr } = spawnSync('npm', audit, {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1_048_576,
})
const { vulnerabilities, message } = parse(stdout)

if (!vulnerabilities) {
  console.error(`The dependencies could not be audited: ${message ?? stderr}`)
  process.exit(2)
}
const found = Object.entries(vulnerabilities)
for (const [name, { severity, range, fixAvailable }] of found)
  console.log(`${severity}: ${name} ${range}${fixAvailable ? ', fix available' : ''}`)
const serious = found.filter(([, { severity }]) => ['high', 'critical'].includes(severity))
console.log(
  `${found.length} known vulnerabilities in production dependencies, ${serious.length} of them high or critical`,
)
process.exit(serious.length > 0 ? 1 : 0)
