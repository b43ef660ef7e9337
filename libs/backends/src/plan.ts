import type { Options } from './backend.ts'

/** How a server is told from a mere open port: what to send it, and how its answer begins (both latin1). */
export interface Protocol {
  hello: string
  welcome: string
}

/** One process to run in the background. */
export interface ServerSpec extends Protocol {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  port: number
  /** What ends it gracefully; SIGTERM where it is not given. */
  stopSignal?: NodeJS.Signals
  /** How a signal reaches the server where it is not our own child. */
  send?: (signal: NodeJS.Signals) => void
}

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
  /** What a person can do where no way is open. */
  advice: string
}
