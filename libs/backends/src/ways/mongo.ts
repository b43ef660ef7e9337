import type { Kind, Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { findProgram, run, tail } from '../programs.ts'
import { inDocker } from './docker.ts'
import { ferretdb } from './ferretdb.ts'
import { mongoProtocol, mongoUrl } from './mongo-protocol.ts'
import { downloadMongod } from './mongod-download.ts'

// A mongod may be there and yet not run: a library it was linked to is gone, or the processor lacks AVX.
const serve = async (program: string, folder: string): ReturnType<Way> => {
  const { ok, output } = await run(program, ['--version'])
  if (!ok) return `${program} does not run (${tail(output, 1)})`
  const layout = async () => {
    const port = await freePort()
    const address = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket']
    const storage = ['--dbpath', folder, '--storageEngine', 'wiredTiger', '--wiredTigerCacheSizeGB', '0.5']
    const args = [...address, ...storage]
    return {
      url: mongoUrl(port),
      servers: [{ ...mongoProtocol, name: 'mongod', command: program, args, port }],
    }
  }
  return { origin: `${program}, data in ${folder}`, layout }
}

const onMachine: Way = async ({ folder }) => {
  const program = await findProgram('mongod')
  return program ? serve(program, folder) : 'mongod is not installed'
}

const downloaded: Way = async ({ folder, report }) => {
  const { program, problem } = await downloadMongod(report)
  return program ? serve(program, folder) : `mongod cannot be downloaded (${problem})`
}

const docker = inDocker({
  ...mongoProtocol,
  image: 'mongo:8.0',
  port: 27017,
  dataPath: '/data/db',
  url: mongoUrl,
  command: [],
})

export const mongo: Kind = {
  title: 'MongoDB',
  variable: 'MONGO_URL',
  ways: [onMachine, docker, downloaded, ferretdb],
  docker,
  advice: 'Start Docker, or install mongod, or install Go (1.21 or newer) and PostgreSQL, or set MONGO_URL.',
}
