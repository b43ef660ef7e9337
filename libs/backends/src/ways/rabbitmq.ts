import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrograms } from '../packages.ts'
import type { Kind, Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { findProgram } from '../programs.ts'
import { inDocker } from './docker.ts'

const protocol = { hello: 'AMQP\x00\x00\x09\x01', welcome: /^.\0\0/ }
const url = (port: number) => `amqp://guest:guest@127.0.0.1:${port}`

const config = (port: number) => `listeners.tcp.1 = 127.0.0.1:${port}
log.console = true
vm_memory_high_watermark.relative = 0.6
disk_free_limit.absolute = 50MB
`

// Everything that could tie it to another broker of this machine is its own: names, ports, cookie, settings.
const environment = (folder: string, epmdPort: number, distPort: number) => ({
  HOME: folder,
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(epmdPort),
  // The script then becomes the broker instead of its parent, so that signals reach the broker.
  RABBITMQ_ALLOW_INPUT: 'true',
  RABBITMQ_CONF_ENV_FILE: join(folder, 'no-environment.conf'),
  RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
  RABBITMQ_CONFIG_FILES: join(folder, 'no-settings'),
  RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
  RABBITMQ_DIST_PORT: String(distPort),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
  RABBITMQ_LOG_BASE: folder,
  RABBITMQ_LOGS: '-',
  RABBITMQ_MNESIA_BASE: join(folder, 'data'),
  RABBITMQ_NODENAME: 'confetti@localhost',
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
})

const writeSettings = async (folder: string, port: number): Promise<void> => {
  await mkdir(join(folder, 'no-settings'), { recursive: true })
  await writeFile(join(folder, 'rabbitmq.conf'), config(port))
  await writeFile(join(folder, 'advanced.config'), '[].\n')
  await writeFile(join(folder, 'enabled_plugins'), '[].\n')
  await writeFile(join(folder, 'no-environment.conf'), '')
}

const onMachine: Way = async ({ folder, env: inherited }) => {
  // Debian's rabbitmq-server on PATH switches to a user who cannot write to our folder.
  const program = await findProgram('rabbitmq-server', ['/usr/lib/rabbitmq/bin'])
  const epmd = await findProgram('epmd', ['/usr/lib/erlang/bin'])
  if (!program || !epmd) return `${program ? "Erlang's epmd" : 'rabbitmq-server'} is not installed`
  const layout = async () => {
    const port = await freePort()
    const epmdPort = await freePort()
    const env = { ...inherited, ...environment(folder, epmdPort, await freePort()) }
    await writeSettings(folder, port)
    return {
      url: url(port),
      servers: [
        // Started by us: the one that a broker starts by itself stays behind when the broker ends.
        {
          name: 'epmd',
          command: epmd,
          args: ['-address', '127.0.0.1', '-port', String(epmdPort)],
          port: epmdPort,
          hello: '\x00\x01n',
          welcome: /^/,
        },
        { ...protocol, name: 'rabbitmq-server', command: program, args: ['-noinput'], env, port },
      ],
    }
  }
  return { origin: `${program}, data in ${folder}`, layout }
}

const fromPackage: Way = async (context) => {
  const broker = { program: 'rabbitmq-server', debianPackage: 'rabbitmq-server' }
  const missing = await ensurePrograms([broker], context.report)
  return missing.length === 0 ? onMachine(context) : 'apt-get cannot install it here'
}

const docker = inDocker({
  ...protocol,
  image: 'rabbitmq:4.1',
  port: 5672,
  dataPath: '/var/lib/rabbitmq/mnesia',
  // To guest it opens from within its container only.
  url: (port) => `amqp://confetti:confetti@127.0.0.1:${port}`,
  environment: { RABBITMQ_DEFAULT_USER: 'confetti', RABBITMQ_DEFAULT_PASS: 'confetti' },
  command: ['rabbitmq-server'],
})

export const rabbitmq: Kind = {
  title: 'RabbitMQ',
  variable: 'RABBITMQ_URL',
  ways: [onMachine, docker, fromPackage],
  docker,
  advice: 'Start Docker, or install rabbitmq-server, or set RABBITMQ_URL.',
}
