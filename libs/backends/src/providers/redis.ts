import type { BackendDefinition, Provider } from '../backend.ts'
import { ensurePrograms, findProgram } from '../programs.ts'
import { allocatePort } from '../ports.ts'
import { createDockerProvider } from './docker.ts'

const probe = { request: 'PING\r\n', expectedResponse: /^\+PONG/ }
const createUrl = (port: number) => `redis://127.0.0.1:${port}`

// Redis holds rate limits only, so persistence is off.
const defaultFlags = ['--save', '', '--appendonly', 'no', '--databases', '16']

const fromInstalledProgram: Provider = async ({ backendDir }) => {
  const program = await findProgram('redis-server')
  if (!program) return 'redis-server is not installed'
  const createSpec = async () => {
    const port = await allocatePort()
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', backendDir, ...defaultFlags]
    return { url: createUrl(port), servers: [{ probe, name: 'redis-server', command: program, args, port }] }
  }
  return { origin: `${program}, data in memory only`, createSpec }
}

const fromDebianPackage: Provider = async (context) => {
  const missing = await ensurePrograms(
    [{ program: 'redis-server', debianPackage: 'redis-server' }],
    context.report,
  )
  return missing.length === 0 ? fromInstalledProgram(context) : 'apt-get cannot install it'
}

const dockerProvider = createDockerProvider({
  probe,
  image: 'valkey/valkey:8.1',
  port: 6379,
  dataPath: '/data',
  url: createUrl,
  // Protected mode rejects clients without a password that connect from outside the container.
  command: ['valkey-server', '--protected-mode', 'no', ...defaultFlags],
})

export const redis: BackendDefinition = {
  title: 'Redis',
  urlVariable: 'REDIS_URL',
  providers: [fromInstalledProgram, dockerProvider, fromDebianPackage],
  dockerProvider,
  installHint: 'Start Docker, or install redis-server, or set REDIS_URL.',
}
