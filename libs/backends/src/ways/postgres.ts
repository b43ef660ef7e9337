import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensurePrograms } from '../packages.ts'
import type { Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { findProgram, run, tail } from '../programs.ts'

const startupMessage = '\x00\x03\x00\x00user\x00ferretdb\x00database\x00postgres\x00\x00'
const protocol = {
  hello: `\x00\x00\x00${String.fromCharCode(startupMessage.length + 4)}${startupMessage}`,
  welcome: /^R/,
}

const findPostgres = async (): Promise<string | undefined> => {
  // Debian keeps the servers of all versions off PATH; the newest one has the last name.
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).toSorted()
  return findProgram('postgres', folders.toReversed())
}

// PostgreSQL refuses to run as root. As the user postgres it may not pass through folders like /root, and
// a home elsewhere would outlive the deletion of ours: so it keeps root's right to do just that.
const asPostgres = [
  '--reuid=postgres',
  '--regid=postgres',
  '--init-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
]

const unprivileged = (command: string, args: string[]) =>
  process.getuid?.() === 0
    ? { command: 'setpriv', args: [...asPostgres, command, ...args] }
    : { command, args }

const createCluster = async (initdb: string, target: string): Promise<string | undefined> => {
  const unfinished = `${target}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  if (process.getuid?.() === 0) await run('chown', ['postgres:', unfinished])
  const settings = ['--username=ferretdb', '--auth=trust', '--encoding=UTF8', '--locale=C']
  const { command, args } = unprivileged(initdb, ['--pgdata', unfinished, ...settings])
  const { ok, output } = await run(command, args, { seconds: 120 })
  if (!ok) return `PostgreSQL cannot set up its data folder (${tail(output, 3)})`
  await rename(unfinished, target)
  return undefined
}

/** A PostgreSQL of our own: every acknowledged write is on disk. */
export const postgres: Way = async ({ folder, report }) => {
  if (!(await findPostgres()))
    await ensurePrograms([{ program: 'postgres', debianPackage: 'postgresql' }], report)
  const program = await findPostgres()
  if (!program) return 'PostgreSQL is not installed'

  const data = join(folder, 'postgres')
  const isNew = await access(join(data, 'PG_VERSION')).then(
    () => false,
    () => true,
  )
  const problem = isNew && (await createCluster(join(dirname(program), 'initdb'), data))
  if (problem) return problem

  const layout = async () => {
    const port = await freePort()
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
    ]
    const run = unprivileged(program, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])])
    return {
      url: `postgres://ferretdb@127.0.0.1:${port}/postgres`,
      // SIGINT is its fast shutdown; SIGTERM waits until the last client has gone.
      servers: [{ ...protocol, ...run, name: 'postgres', port, stopSignal: 'SIGINT' as const }],
    }
  }
  return { origin: `PostgreSQL (${program}), data in ${data}`, layout }
}
