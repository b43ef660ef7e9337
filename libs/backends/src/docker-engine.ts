// The only module that uses testcontainers. Import it lazily: loading it takes a second.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { GenericContainer, getContainerRuntimeClient, ImageName, Wait } from 'testcontainers'
import type { RunningServer } from './backend.ts'
import { errorMessage } from './programs.ts'

interface ContainerOptions {
  name: string
  image: string
  command: string[]
  environment: Record<string, string>
  /** undefined: the user that the image defines. */
  user: string | undefined
  mount: { source: string; target: string }
  /** The port in the container, and the port on 127.0.0.1 that it is published on. */
  port: { container: number; host: number }
}

const withTimeout = <T>(timeoutSeconds: number, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    pause(timeoutSeconds * 1000, undefined, { ref: false }).then(() => {
      throw new Error(`timed out after ${timeoutSeconds} s`)
    }),
  ])

/** Whether testcontainers finds a Docker engine that responds within 10 s. */
export const isDockerAvailable = (): Promise<boolean> =>
  withTimeout(10, getContainerRuntimeClient()).then(
    () => true,
    () => false,
  )

/** Pulls an image unless it is present, within 10 minutes. Returns an error message if that fails. */
export const pullImage = async (
  image: string,
  report: (line: string) => void,
): Promise<string | undefined> => {
  const { image: images } = await getContainerRuntimeClient()
  const name = ImageName.fromString(image)
  if (await images.exists(name)) return undefined
  report(`pulling the Docker image ${image} ...`)
  try {
    await withTimeout(600, images.pull(name))
    // pull() also resolves when the pull fails half-way; inspect() rejects then.
    await images.inspect(name)
    return undefined
  } catch (error) {
    return `Docker cannot pull ${image} (${errorMessage(error)})`
  }
}

/** Returns the user that an image defines; empty for root. */
export const readImageUser = async (image: string): Promise<string> => {
  const { image: images } = await getContainerRuntimeClient()
  return (await images.inspect(ImageName.fromString(image))).Config.User
}

class LocalContainer extends GenericContainer {
  /** Resolves when the container is removed and its output is in the log file. */
  removed = Promise.resolve()
  private readonly logFile: string

  constructor(image: string, logFile: string) {
    super(image)
    this.logFile = logFile
  }

  // GenericContainer has no options for these two: publish ports on 127.0.0.1 only, and let Docker remove a
  // container when it exits.
  protected override beforeContainerCreated(): Promise<void> {
    this.hostConfig.AutoRemove = true
    const bindings = Object.values(this.hostConfig.PortBindings as Record<string, { HostIp?: string }[]>)
    for (const binding of bindings.flat()) binding.HostIp = '127.0.0.1'
    return Promise.resolve()
  }

  // Attaches before the container starts, so that the output of one that exits immediately is complete.
  protected override async containerCreated(id: string): Promise<void> {
    const { container: containers } = await getContainerRuntimeClient()
    const container = containers.getById(id)
    const output = await containers.attach(container)
    this.removed = Promise.allSettled([
      container.wait({ condition: 'removed' }),
      pipeline(output, createWriteStream(this.logFile, { flags: 'a' })),
    ]).then(() => {})
  }
}

/** Starts a container and appends its output to the log file. Rejects, and removes it, if that fails. */
export const startContainer = async (options: ContainerOptions, logFile: string): Promise<RunningServer> => {
  const local = new LocalContainer(options.image, logFile)
    .withName(options.name)
    .withHostname('confetti')
    .withCommand(options.command)
    .withEnvironment(options.environment)
    .withBindMounts([options.mount])
    .withExposedPorts(options.port)
    // The caller runs a readiness probe in the server's own protocol, which is more precise.
    .withWaitStrategy(Wait.forAll([]))
    // The watchdog shuts the container down gracefully; testcontainers' reaper would kill it.
    .withAutoCleanup(false)
  if (options.user) local.withUser(options.user)
  try {
    await local.start()
  } catch (error) {
    await stopContainer(options.name)
    throw error
  }

  const container = await getContainer(options.name)
  const deliver = (signal: NodeJS.Signals): Promise<unknown> => {
    // Pausing stops all processes of the container; a signal would reach only the first.
    if (signal === 'SIGSTOP') return container.pause()
    if (signal === 'SIGCONT') return container.unpause()
    return container.kill({ signal })
  }
  let delivered: Promise<unknown> = Promise.resolve()
  return {
    exited: local.removed,
    sendSignal: (signal) => {
      // Docker rejects signals to a container that has exited, and unpausing one that is not paused: ignore
      // both.
      delivered = delivered.then(() => deliver(signal)).catch(() => {})
    },
  }
}

const getContainer = async (name: string) => (await getContainerRuntimeClient()).container.getById(name)

/**
 * Stops a container gracefully, and kills it after 30 s. Resolves when it is removed, or immediately if there
 * is no container with that name.
 */
export const stopContainer = async (name: string): Promise<void> => {
  const container = await getContainer(name)
  await container.stop({ t: 30 }).catch(() => {})
  await container.wait({ condition: 'removed' }).catch(() => {})
}
