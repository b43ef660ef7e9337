import type { Options } from './backend.ts'

/** How a server is told from a mere open port: what to send it, and what it then answers (both latin1). */
export interface Protocol {
  hello: string
  welcome: RegExp
}

/** A process or a container while it runs. */
export interface Running {
  /** Resolves when it is gone. */
  ended: Promise<void>
  send: (signal: NodeJS.Signals) => void
}

interface Listener extends Protocol {
  name: string
  port: number
}

/** One process to run in the background. */
export interface ProcessSpec extends Listener {
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** What ends it gracefully; SIGTERM where it is not given. */
  stopSignal?: NodeJS.Signals
}

interface ContainerSpec extends Listener {
  /** Runs it, and appends what it writes to the log. */
  launch: (log: string) => Promise<Running>
}

export type ServerSpec = ProcessSpec | ContainerSpec

/** Servers in the order of their start; the last one is what the url points to. */
interface Layout {
  url: string
  servers: ServerSpec[]
}

export interface Plan {
  origin: string
  /** Draws free ports anew at each call. */
  layout(): Promise<Layout>
}

export interface Context extends Required<Omit<Options, 'blobPort'>> {
  blobPort: number | undefined
  /** This backend's own folder inside dataDir. */
  folder: string
}

/** One way to get a backend: a plan ready to run, or in a few words why it is not open on this machine. */
export type Way = (context: Context) => Promise<Plan | string>

export interface Kind {
  title: string
  /** The environment variable that may hold its address. */
  variable: string
  /** Tried in this order. */
  ways: Way[]
  /** The way that CONFETTI_BACKENDS=docker takes. */
  docker: Way
  /** What a person can do where no way is open. */
  advice: string
}
