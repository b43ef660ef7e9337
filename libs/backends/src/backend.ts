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

export type BackendName = 'mongo' | 'rabbitmq' | 'redis' | 'blob'

/** A running database, broker, cache or blob storage. */
export interface Backend {
  name: BackendName
  /** Connection string. It does not change when the backend is stopped and started again. */
  url: string
  /** One line that says which provider runs the backend and where its data is. */
  origin: string
  /**
   * Stops the backend gracefully; resolves when its processes have exited and its port is free. Rejects for
   * an external server.
   */
  stop: () => Promise<void>
  /** Starts it again on the same port and data; resolves when it is ready. Rejects for an external server. */
  start: () => Promise<void>
  /** Sends a signal to the server process only, not to servers that it depends on. Fault tests use it. */
  signal: (signal: NodeJS.Signals) => void
}

export interface Backends {
  mongo: Backend
  rabbitmq: Backend
  redis: Backend
  blob: Backend
  /** Stops every backend that was started here. External servers keep running. */
  stop: () => Promise<void>
}

export interface Options {
  /** Directory for data, logs and process records; only one run at a time can use it. */
  dataDir: string
  /** Receives progress messages, and one line for each backend when it is ready. */
  report: (line: string) => void
  /** Port of blob storage, for browsers that need a fixed address. Default: a free port. */
  blobPort?: number
  /** Holds MONGO_URL, RABBITMQ_URL, REDIS_URL and BLOB_CONNECTION_STRING. Default: process.env. */
  env?: NodeJS.ProcessEnv
}
