import { spawnSync } from 'node:child_process'
import { root } from './places.ts'

// What runs in production must have no known hole that is high or critical. Asks the registry that npm uses, so it
// is a command of its own: `npm test` needs no network.

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
  // No answer is no clean answer.
  console.error(`The packages could not be audited: ${message ?? stderr}`)
  process.exit(2)
}
const found = Object.entries(vulnerabilities)
for (const [name, { severity, range, fixAvailable }] of found)
  console.log(`${severity}: ${name} ${range}${fixAvailable ? ', a fix is there' : ''}`)
const serious = found.filter(([, { severity }]) => ['high', 'critical'].includes(severity))
console.log(
  `${found.length} known holes in what runs in production, ${serious.length} of them high or critical`,
)
process.exit(serious.length > 0 ? 1 : 0)
