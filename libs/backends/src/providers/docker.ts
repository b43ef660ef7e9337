import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Provider, ProviderContext, ReadinessProbe, RunningServer } from '../backend.ts'
import { allocatePort } from '../ports.ts'
import { containersDir } from '../process-records.ts'
import { runCommand } from '../programs.ts'

interface ImageConfig {
  image: string
  /** The port that the server listens on in the container. */
  port: number
  /** The data directory in the container. */
  dataPath: string
  probe: ReadinessProbe
  /** Returns the connection string for a port on 127.0.0.1. */
  url: (port: number) => string
  command: string[]
  environment?: Record<string, string>
  /** Chooses the port on 127.0.0.1. Default: a free port. */
  choosePort?: (context: ProviderContext) => Promise<number>
}

const isRoot = (): boolean => process.getuid?.() === 0

// The container runs as the caller's user, so that the caller can delete its files. Root can delete them
// anyway, and some servers refuse to run as root: then the container runs as the user that the image defines.
const containerUser = (): string | undefined =>
  process.getuid && !isRoot() ? `${process.getuid()}:${process.getgid?.() ?? 0}` : undefined

/** Creates a provider that runs an image, with its data in the backend's directory. */
export const createDockerProvider =
  (config: ImageConfig): Provider =>
  async (context) => {
    const { image, url, probe, choosePort = allocatePort } = config
    const docker = await import('../docker-engine.ts')
    if (!(await docker.isDockerAvailable())) return 'Docker does not respond'
    const problem = await docker.pullImage(image, context.report)
    if (problem) return problem

    const { dataDir, backendDir } = context
    const backend = basename(backendDir)
    const name = `confetti-${backend}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
    const recordFile = join(containersDir(dataDir), name)

    const launch = async (host: number, logFile: string): Promise<RunningServer> => {
      mkdirSync(backendDir, { recursive: true })
      const owner = isRoot() && (await docker.readImageUser(image))
      if (owner) await runCommand('chown', ['-R', owner, backendDir])
      mkdirSync(containersDir(dataDir), { recursive: true })
      writeFileSync(recordFile, '')
      const { command, environment = {}, dataPath } = config
      const mount = { source: backendDir, target: dataPath }
      const port = { container: config.port, host }
      const running = await docker.startContainer(
        { name, image, command, environment, user: containerUser(), mount, port },
        logFile,
      )
      return { ...running, exited: running.exited.then(() => rmSync(recordFile, { force: true })) }
    }
    const createSpec = async () => {
      const port = await choosePort(context)
      const server = {
        name: `${backend}-in-docker`,
        port,
        probe,
        launch: (logFile: string) => launch(port, logFile),
      }
      return { url: url(port), servers: [server] }
    }
    return { origin: `Docker image ${image}, data in ${backendDir}`, createSpec }
  }
