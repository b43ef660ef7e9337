import { ensurePrograms } from '../packages.ts'
import type { Kind, Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { findProgram } from '../programs.ts'
import { inDocker } from './docker.ts'

const protocol = { hello: 'PING\r\n', welcome: /^\+PONG/ }
const url = (port: number) => `redis://127.0.0.1:${port}`

// It holds nothing that has to outlive a run, so it writes nothing.
const settings = ['--save', '', '--appendonly', 'no', '--databases', '16']

const onMachine: Way = async ({ folder }) => {
  const program = await findProgram('redis-server')
  if (!program) return 'redis-server is not installed'
  const layout = async () => {
    const port = await freePort()
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings]
    return { url: url(port), servers: [{ ...protocol, name: 'redis-server', command: program, args, port }] }
  }
  return { origin: `${program}, data in memory alone`, layout }
}

const fromPackage: Way = async (context) => {
  const missing = await ensurePrograms(
    [{ program: 'redis-server', debianPackage: 'redis-server' }],
    context.report,
  )
  return missing.length === 0 ? onMachine(context) : 'apt-get cannot install it here'
}

const docker = inDocker({
  ...protocol,
  image: 'valkey/valkey:8.1',
  port: 6379,
  dataPath: '/data',
  url,
  // Whoever comes from outside the container is a stranger to it, and would be refused without a password.
  command: ['valkey-server', '--protected-mode', 'no', ...settings],
})

export const redis: Kind = {
  title: 'Redis',
  variable: 'REDIS_URL',
  ways: [onMachine, docker, fromPackage],
  docker,
  advice: 'Start Docker, or install redis-server, or set REDIS_URL.',
}
