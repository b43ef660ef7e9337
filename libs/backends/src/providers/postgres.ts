import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Provider } from '../backend.ts'
import { ensurePrograms, findProgram, lastLines, runCommand } from '../programs.ts'
import { allocatePort } from '../ports.ts'

const startupMessage = '\x00\x03\x00\x00user\x00ferretdb\x00database\x00postgres\x00\x00'
const probe = {
  request: `\x00\x00\x00${String.fromCharCode(startupMessage.length + 4)}${startupMessage}`,
  expectedResponse: /^R/,
}

const findPostgres = async (): Promise<string | undefined> => {
  // Debian installs each version in a directory of its own that is not on PATH; the newest version sorts
  // last.
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const directories = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).toSorted()
  return findProgram('postgres', directories.toReversed())
}

// PostgreSQL refuses to run as root. The user postgres cannot enter directories such as /root, and data
// outside dataDir would remain when dataDir is deleted, so the process keeps one capability: to bypass file
// permissions.
const setprivFlags = [
  '--reuid=postgres',
  '--regid=postgres',
  '--init-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
]

const asUnprivilegedUser = (command: string, args: string[]) =>
  process.getuid?.() === 0
    ? { command: 'setpriv', args: [...setprivFlags, command, ...args] }
    : { command, args }

const createCluster = async (initdb: string, target: string): Promise<string | undefined> => {
  const temporary = `${target}.unfinished`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { mode: 0o700 })
  if (process.getuid?.() === 0) await runCommand('chown', ['postgres:', temporary])
  const settings = ['--username=ferretdb', '--auth=trust', '--encoding=UTF8', '--locale=C']
  const { command, args } = asUnprivilegedUser(initdb, ['--pgdata', temporary, ...settings])
  const { ok, output } = await runCommand(command, args, { timeoutSeconds: 120 })
  if (!ok) return `initdb failed (${lastLines(output, 3)})`
  await rename(temporary, target)
  return undefined
}

/** Starts a private PostgreSQL with its default durability: every acknowledged write is on disk. */
export const postgres: Provider = async ({ backendDir, report }) => {
  if (!(await findPostgres()))
    await ensurePrograms([{ program: 'postgres', debianPackage: 'postgresql' }], report)
  const program = await findPostgres()
  if (!program) return 'PostgreSQL is not installed'

  const dataDirectory = join(backendDir, 'postgres')
  const needsInit = await access(join(dataDirectory, 'PG_VERSION')).then(
    () => false,
    () => true,
  )
  const problem = needsInit && (await createCluster(join(dirname(program), 'initdb'), dataDirectory))
  if (problem) return problem

  const createSpec = async () => {
    const port = await allocatePort()
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
    ]
    const launchCommand = asUnprivilegedUser(program, [
      '-D',
      dataDirectory,
      ...settings.flatMap((setting) => ['-c', setting]),
    ])
    return {
      url: `postgres://ferretdb@127.0.0.1:${port}/postgres`,
      // SIGINT requests a fast shutdown; SIGTERM waits until the last client has disconnected.
      servers: [{ ...launchCommand, probe, name: 'postgres', port, stopSignal: 'SIGINT' as const }],
    }
  }
  return { origin: `PostgreSQL (${program}), data in ${dataDirectory}`, createSpec }
}
