import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackendDefinition, Provider } from '../backend.ts'
import { ensurePrograms, findProgram } from '../programs.ts'
import { allocatePort } from '../ports.ts'
import { createDockerProvider } from './docker.ts'

const probe = { request: 'AMQP\x00\x00\x09\x01', expectedResponse: /^.\0\0/ }
const createUrl = (port: number) => `amqp://guest:guest@127.0.0.1:${port}`

const createConfig = (port: number) => `listeners.tcp.1 = 127.0.0.1:${port}
log.console = true
vm_memory_high_watermark.relative = 0.6
disk_free_limit.absolute = 50MB
`

// Isolates the broker from other brokers on this machine: node name, ports, cookie and settings are private.
const createEnvironment = (backendDir: string, epmdPort: number, distPort: number) => ({
  HOME: backendDir,
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(epmdPort),
  // Makes the start script exec the broker, so that signals reach the broker.
  RABBITMQ_ALLOW_INPUT: 'true',
  RABBITMQ_CONF_ENV_FILE: join(backendDir, 'no-environment.conf'),
  RABBITMQ_CONFIG_FILE: join(backendDir, 'rabbitmq.conf'),
  RABBITMQ_CONFIG_FILES: join(backendDir, 'no-settings'),
  RABBITMQ_ADVANCED_CONFIG_FILE: join(backendDir, 'advanced.config'),
  RABBITMQ_DIST_PORT: String(distPort),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(backendDir, 'enabled_plugins'),
  RABBITMQ_LOG_BASE: backendDir,
  RABBITMQ_LOGS: '-',
  RABBITMQ_MNESIA_BASE: join(backendDir, 'data'),
  RABBITMQ_NODENAME: 'confetti@localhost',
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
})

const writeConfigFiles = async (backendDir: string, port: number): Promise<void> => {
  await mkdir(join(backendDir, 'no-settings'), { recursive: true })
  await writeFile(join(backendDir, 'rabbitmq.conf'), createConfig(port))
  await writeFile(join(backendDir, 'advanced.config'), '[].\n')
  await writeFile(join(backendDir, 'enabled_plugins'), '[].\n')
  await writeFile(join(backendDir, 'no-environment.conf'), '')
}

const fromInstalledProgram: Provider = async ({ backendDir, env: inherited }) => {
  // Not Debian's wrapper on PATH: it switches to a user that cannot write to the data directory.
  const program = await findProgram('rabbitmq-server', ['/usr/lib/rabbitmq/bin'])
  const epmd = await findProgram('epmd', ['/usr/lib/erlang/bin'])
  if (!program || !epmd) return `${program ? "Erlang's epmd" : 'rabbitmq-server'} is not installed`
  const createSpec = async () => {
    const port = await allocatePort()
    const epmdPort = await allocatePort()
    const env = { ...inherited, ...createEnvironment(backendDir, epmdPort, await allocatePort()) }
    await writeConfigFiles(backendDir, port)
    return {
      url: createUrl(port),
      servers: [
        // Started explicitly: an epmd that the broker starts keeps running after the broker exits.
        {
          name: 'epmd',
          command: epmd,
          args: ['-address', '127.0.0.1', '-port', String(epmdPort)],
          port: epmdPort,
          probe: { request: '\x00\x01n', expectedResponse: /^/ },
        },
        { probe, name: 'rabbitmq-server', command: program, args: ['-noinput'], env, port },
      ],
    }
  }
  return { origin: `${program}, data in ${backendDir}`, createSpec }
}

const fromDebianPackage: Provider = async (context) => {
  const broker = { program: 'rabbitmq-server', debianPackage: 'rabbitmq-server' }
  const missing = await ensurePrograms([broker], context.report)
  return missing.length === 0 ? fromInstalledProgram(context) : 'apt-get cannot install it'
}

const dockerProvider = createDockerProvider({
  probe,
  image: 'rabbitmq:4.1',
  port: 5672,
  dataPath: '/var/lib/rabbitmq/mnesia',
  // RabbitMQ accepts the user guest only from localhost, which is inside the container.
  url: (port) => `amqp://confetti:confetti@127.0.0.1:${port}`,
  environment: { RABBITMQ_DEFAULT_USER: 'confetti', RABBITMQ_DEFAULT_PASS: 'confetti' },
  command: ['rabbitmq-server'],
})

export const rabbitmq: BackendDefinition = {
  title: 'RabbitMQ',
  urlVariable: 'RABBITMQ_URL',
  providers: [fromInstalledProgram, dockerProvider, fromDebianPackage],
  dockerProvider,
  installHint: 'Start Docker, or install rabbitmq-server, or set RABBITMQ_URL.',
}
