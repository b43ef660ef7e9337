import type { Options } from './backend.ts'

/** Checks that a server is ready: sends a request and compares the response. Both are latin1. */
export interface ReadinessProbe {
  request: string
  expectedResponse: RegExp
}

/** A running process or container. */
export interface RunningServer {
  /** Resolves when the process has exited or the container is removed. */
  exited: Promise<void>
  sendSignal: (signal: NodeJS.Signals) => void
}

interface BaseSpec {
  name: string
  port: number
  probe: ReadinessProbe
}

/** A process to run in the background. */
export interface ProcessSpec extends BaseSpec {
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** The signal for a graceful shutdown. Default: SIGTERM. */
  stopSignal?: NodeJS.Signals
}

interface ContainerSpec extends BaseSpec {
  /** Starts the container and appends its output to the log file. */
  launch: (logFile: string) => Promise<RunningServer>
}

export type ServerSpec = ProcessSpec | ContainerSpec

/** Servers in start order. The url is the address of the last one. */
interface LaunchSpec {
  url: string
  servers: ServerSpec[]
}

export interface LaunchPlan {
  origin: string
  /** Allocates new free ports at each call. */
  createSpec(): Promise<LaunchSpec>
}

export interface ProviderContext extends Required<Omit<Options, 'blobPort'>> {
  blobPort: number | undefined
  /** The directory of this backend in dataDir. */
  backendDir: string
}

/** Returns a plan to launch a backend, or the reason why this provider is not available on this machine. */
export type Provider = (context: ProviderContext) => Promise<LaunchPlan | string>

export interface BackendDefinition {
  title: string
  /** The environment variable with the address of an external server. */
  urlVariable: string
  /** In order of preference. */
  providers: Provider[]
  /** The only provider used with CONFETTI_BACKENDS=docker. */
  dockerProvider: Provider
  /** What a developer can do if no provider is available; part of the error message. */
  installHint: string
}
