import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core'
import type { BackendDefinition, Provider } from '../backend.ts'
import { allocatePort } from '../ports.ts'
import { findProgram, lastLines, runCommand } from '../programs.ts'
import { createDockerProvider } from './docker.ts'
import { ferretdb } from './ferretdb.ts'
import { mongoProbe, mongoUrl } from './mongo-protocol.ts'

const downloadHost = 'https://fastdl.mongodb.org'

const rootCauseMessage = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

/**
 * Returns the path of a mongod that mongodb-memory-server downloads once and caches, or the reason why it
 * cannot be downloaded: after 5 s if the host is not reachable.
 */
const downloadMongod = async (
  report: (line: string) => void,
): Promise<{ program?: string; problem?: string }> => {
  try {
    const cached = await DryMongoBinary.locateBinary(DryMongoBinary.getEnsuredOptions())
    if (cached) return { program: cached }
    // Checks the host first: mongodb-memory-server retries for most of a minute if it is not reachable.
    await fetch(downloadHost, { method: 'HEAD', signal: AbortSignal.timeout(5000) })
    report('downloading MongoDB (about 100 MB, once per machine) ...')
    return { program: await MongoBinary.getPath() }
  } catch (error) {
    return { problem: rootCauseMessage(error) }
  }
}

// An existing mongod may fail to run, for example without a shared library or on a processor without AVX.
const createPlan = async (program: string, backendDir: string): ReturnType<Provider> => {
  const { ok, output } = await runCommand(program, ['--version'])
  if (!ok) return `${program} cannot run (${lastLines(output, 1)})`
  const createSpec = async () => {
    const port = await allocatePort()
    const address = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket']
    const storage = [
      '--dbpath',
      backendDir,
      '--storageEngine',
      'wiredTiger',
      '--wiredTigerCacheSizeGB',
      '0.5',
    ]
    const args = [...address, ...storage]
    return {
      url: mongoUrl(port),
      servers: [{ probe: mongoProbe, name: 'mongod', command: program, args, port }],
    }
  }
  return { origin: `${program}, data in ${backendDir}`, createSpec }
}

const fromInstalledProgram: Provider = async ({ backendDir }) => {
  const program = await findProgram('mongod')
  return program ? createPlan(program, backendDir) : 'mongod is not installed'
}

const fromDownload: Provider = async ({ backendDir, report }) => {
  const { program, problem } = await downloadMongod(report)
  return program ? createPlan(program, backendDir) : `mongod cannot be downloaded (${problem})`
}

const dockerProvider = createDockerProvider({
  probe: mongoProbe,
  image: 'mongo:8.0',
  port: 27017,
  dataPath: '/data/db',
  url: mongoUrl,
  command: [],
})

export const mongo: BackendDefinition = {
  title: 'MongoDB',
  urlVariable: 'MONGO_URL',
  providers: [fromInstalledProgram, dockerProvider, fromDownload, ferretdb],
  dockerProvider,
  installHint:
    'Start Docker, or install mongod, or install Go (1.21 or newer) and PostgreSQL, or set MONGO_URL.',
}
