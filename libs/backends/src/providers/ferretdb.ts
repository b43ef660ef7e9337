import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Provider, ProviderContext } from '../backend.ts'
import { allocatePort } from '../ports.ts'
import { findProgram, lastLines, runCommand } from '../programs.ts'
import { mongoProbe, mongoUrl } from './mongo-protocol.ts'
import { postgres } from './postgres.ts'

const sourceDir = fileURLToPath(new URL('../../ferretdb', import.meta.url))

// The name contains a hash of the source, so that a change of the source leads to a new build.
const binaryPath = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'main.go', 'equality_indexes.go', 'one_change_at_a_time.go'])
    hash.update(await readFile(join(sourceDir, file)))
  const cacheDir = env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(cacheDir, 'confetti', `ferretdb-1.24-${hash.digest('hex').slice(0, 12)}`)
}

const buildBinary = async (
  go: string,
  target: string,
  { env, report }: ProviderContext,
): Promise<string | undefined> => {
  report('building FerretDB (about two minutes, once per machine) ...')
  await mkdir(dirname(target), { recursive: true })
  // Builds to a temporary file: of two concurrent builds the later one replaces the file with an identical
  // one.
  const temporary = `${target}.${process.pid}`
  const args = ['build', '-trimpath', '-ldflags=-s -w', '-o', temporary, '.']
  const { ok, output } = await runCommand(go, args, {
    cwd: sourceDir,
    env: { ...env, CGO_ENABLED: '0' },
    timeoutSeconds: 1200,
  })
  if (!ok) return `FerretDB failed to build (${lastLines(output, 1)})`
  await rename(temporary, target)
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Serves MongoDB's protocol on PostgreSQL, for machines where no mongod is available. */
export const ferretdb: Provider = async (context) => {
  const program = await binaryPath(context.env)
  const go = await findProgram('go', ['/usr/local/go/bin'])
  if (!go && !(await exists(program))) return 'Go is not installed (needed to build FerretDB)'

  const postgresPlan = await postgres(context)
  if (typeof postgresPlan === 'string') return postgresPlan

  const problem = go && !(await exists(program)) && (await buildBinary(go, program, context))
  if (problem) return problem

  const createSpec = async () => {
    const port = await allocatePort()
    const postgresSpec = await postgresPlan.createSpec()
    const args = [`127.0.0.1:${port}`, postgresSpec.url]
    // Its heap is small, and a fifth of its processor time would go into collecting garbage.
    const env = { ...context.env, GOGC: '400' }
    return {
      url: mongoUrl(port),
      servers: [
        ...postgresSpec.servers,
        { probe: mongoProbe, name: 'ferretdb', command: program, args, env, port },
      ],
    }
  }
  return { origin: `FerretDB on ${postgresPlan.origin}`, createSpec }
}
