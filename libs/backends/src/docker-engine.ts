// All that knows testcontainers. Loading it takes a second, so it is imported where Docker is asked for, and only then.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { GenericContainer, getContainerRuntimeClient, ImageName, Wait } from 'testcontainers'
import type { Running } from './plan.ts'
import { messageOf } from './programs.ts'

interface ContainerSpec {
  name: string
  image: string
  command: string[]
  environment: Record<string, string>
  /** The image's own user where it is not given. */
  user: string | undefined
  mount: { source: string; target: string }
  /** Where it listens, and where that is reached on 127.0.0.1. */
  port: { container: number; host: number }
}

const within = <T>(seconds: number, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    pause(seconds * 1000, undefined, { ref: false }).then(() => {
      throw new Error(`gave up after ${seconds} s`)
    }),
  ])

/** Whether a Docker engine answers, where testcontainers looks for one. */
export const dockerAnswers = (): Promise<boolean> =>
  within(10, getContainerRuntimeClient()).then(
    () => true,
    () => false,
  )

/** Pulls an image that is not here (10 minutes at most); in a few words why it cannot be had, if so. */
export const fetchImage = async (
  image: string,
  report: (line: string) => void,
): Promise<string | undefined> => {
  const { image: images } = await getContainerRuntimeClient()
  const name = ImageName.fromString(image)
  if (await images.exists(name)) return undefined
  report(`pulling the Docker image ${image} ...`)
  try {
    await within(600, images.pull(name))
    // A pull that fails half-way resolves all the same.
    await images.inspect(name)
    return undefined
  } catch (error) {
    return `Docker cannot pull ${image} (${messageOf(error)})`
  }
}

/** The user that an image asks to run as; empty where it begins as root. */
export const userOf = async (image: string): Promise<string> => {
  const { image: images } = await getContainerRuntimeClient()
  return (await images.inspect(ImageName.fromString(image))).Config.User
}

class LocalContainer extends GenericContainer {
  /** Resolves when it is removed and all that it wrote is in its log. */
  ended = Promise.resolve()
  private readonly log: string

  constructor(image: string, log: string) {
    super(image)
    this.log = log
  }

  // What GenericContainer cannot be told: to publish on 127.0.0.1 only, and that an ended one is removed by Docker.
  protected override beforeContainerCreated(): Promise<void> {
    this.hostConfig.AutoRemove = true
    const bindings = Object.values(this.hostConfig.PortBindings as Record<string, { HostIp?: string }[]>)
    for (const binding of bindings.flat()) binding.HostIp = '127.0.0.1'
    return Promise.resolve()
  }

  // Before it runs, so that nothing is missed of one that ends at once.
  protected override async containerCreated(id: string): Promise<void> {
    const { container: containers } = await getContainerRuntimeClient()
    const container = containers.getById(id)
    const output = await containers.attach(container)
    this.ended = Promise.allSettled([
      container.wait({ condition: 'removed' }),
      pipeline(output, createWriteStream(this.log, { flags: 'a' })),
    ]).then(() => {})
  }
}

/** Runs a container and appends what it writes to the log. Rejects, and leaves nothing, where Docker cannot. */
export const launchContainer = async (spec: ContainerSpec, log: string): Promise<Running> => {
  const local = new LocalContainer(spec.image, log)
    .withName(spec.name)
    .withHostname('confetti')
    .withCommand(spec.command)
    .withEnvironment(spec.environment)
    .withBindMounts([spec.mount])
    .withExposedPorts(spec.port)
    // Whoever launches a server asks it in its own protocol, which says more than any of theirs.
    .withWaitStrategy(Wait.forAll([]))
    // Our watchdog ends it in order, should we be killed; theirs would kill it, too, and is one more image.
    .withAutoCleanup(false)
  if (spec.user) local.withUser(spec.user)
  try {
    await local.start()
  } catch (error) {
    await endContainer(spec.name)
    throw error
  }

  const container = await containerNamed(spec.name)
  const deliver = (signal: NodeJS.Signals): Promise<unknown> => {
    // All its processes, whichever of them is the first.
    if (signal === 'SIGSTOP') return container.pause()
    if (signal === 'SIGCONT') return container.unpause()
    return container.kill({ signal })
  }
  let delivered: Promise<unknown> = Promise.resolve()
  return {
    ended: local.ended,
    send: (signal) => {
      // Fails for one that has ended, or is told to go on without having been stopped: both as it should be.
      delivered = delivered.then(() => deliver(signal)).catch(() => {})
    },
  }
}

const containerNamed = async (name: string) => (await getContainerRuntimeClient()).container.getById(name)

/** Ends a container, if there is one of that name: gracefully, after 30 s by force. Resolves when it is removed. */
export const endContainer = async (name: string): Promise<void> => {
  const container = await containerNamed(name)
  await container.stop({ t: 30 }).catch(() => {})
  await container.wait({ condition: 'removed' }).catch(() => {})
}
