import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { findProgram, run, tail } from '../programs.ts'
import { mongoProtocol, mongoUrl } from './mongo-protocol.ts'
import { postgres } from './postgres.ts'

const module = fileURLToPath(new URL('../../ferretdb', import.meta.url))

// Named by its source, so that a change of it is built anew beside the old one.
const builtPath = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'main.go', 'one_change_at_a_time.go'])
    hash.update(await readFile(join(module, file)))
  const cache = env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(cache, 'confetti', `ferretdb-1.24-${hash.digest('hex').slice(0, 12)}`)
}

const build = async (go: string, target: string, { env, report }: Context): Promise<string | undefined> => {
  report('building FerretDB, about two minutes, once per machine ...')
  await mkdir(dirname(target), { recursive: true })
  // Of two builds at once the later one replaces the same file by the same file.
  const unfinished = `${target}.${process.pid}`
  const args = ['build', '-trimpath', '-ldflags=-s -w', '-o', unfinished, '.']
  const { ok, output } = await run(go, args, {
    cwd: module,
    env: { ...env, CGO_ENABLED: '0' },
    seconds: 1200,
  })
  if (!ok) return `FerretDB cannot be built (${tail(output, 1)})`
  await rename(unfinished, target)
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** MongoDB's protocol on PostgreSQL: for machines where no mongod can be had. */
export const ferretdb: Way = async (context) => {
  const program = await builtPath(context.env)
  const go = await findProgram('go', ['/usr/local/go/bin'])
  if (!go && !(await exists(program))) return 'Go, to build FerretDB, is not installed'

  const database = await postgres(context)
  if (typeof database === 'string') return database

  const problem = go && !(await exists(program)) && (await build(go, program, context))
  if (problem) return problem

  const layout = async () => {
    const port = await freePort()
    const below = await database.layout()
    const args = [`127.0.0.1:${port}`, below.url]
    return {
      url: mongoUrl(port),
      servers: [...below.servers, { ...mongoProtocol, name: 'ferretdb', command: program, args, port }],
    }
  }
  return { origin: `FerretDB on ${database.origin}`, layout }
}
