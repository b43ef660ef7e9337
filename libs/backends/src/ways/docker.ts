import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Context, Protocol, Running, Way } from '../plan.ts'
import { freePort } from '../ports.ts'
import { run } from '../programs.ts'
import { containersIn } from '../records.ts'

interface Image extends Protocol {
  image: string
  /** Where it listens in the container. */
  port: number
  /** Where its data lies in the container. */
  dataPath: string
  url: (port: number) => string
  command: string[]
  environment?: Record<string, string>
  /** The port on this machine; a free one where it is not given. */
  choosePort?: (context: Context) => Promise<number>
}

const isRoot = (): boolean => process.getuid?.() === 0

// As the caller's own user, so that the caller may delete what the server has written. Root may anyway: the image
// then has its own user, as some servers refuse to be root.
const callerIfNotRoot = (): string | undefined =>
  process.getuid && !isRoot() ? `${process.getuid()}:${process.getgid?.() ?? 0}` : undefined

/** Runs an image with its data in this backend's folder, where a Docker engine answers and the image can be had. */
export const inDocker =
  (server: Image): Way =>
  async (context) => {
    const { image, url, hello, welcome, choosePort = freePort } = server
    const docker = await import('../docker-engine.ts')
    if (!(await docker.dockerAnswers())) return 'Docker does not answer'
    const problem = await docker.fetchImage(image, context.report)
    if (problem) return problem

    const { dataDir, folder } = context
    const backend = basename(folder)
    const name = `confetti-${backend}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
    const record = join(containersIn(dataDir), name)

    const launch = async (host: number, log: string): Promise<Running> => {
      mkdirSync(folder, { recursive: true })
      const owner = isRoot() && (await docker.userOf(image))
      if (owner) await run('chown', ['-R', owner, folder])
      mkdirSync(containersIn(dataDir), { recursive: true })
      writeFileSync(record, '')
      const { command, environment = {}, dataPath } = server
      const mount = { source: folder, target: dataPath }
      const port = { container: server.port, host }
      const running = await docker.launchContainer(
        { name, image, command, environment, user: callerIfNotRoot(), mount, port },
        log,
      )
      return { ...running, ended: running.ended.then(() => rmSync(record, { force: true })) }
    }
    const layout = async () => {
      const port = await choosePort(context)
      const spec = { name: `${backend}-in-docker`, port, launch: (log: string) => launch(port, log) }
      return { url: url(port), servers: [{ hello, welcome, ...spec }] }
    }
    return { origin: `Docker image ${image}, data in ${folder}`, layout }
  }
