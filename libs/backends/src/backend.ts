export type BackendName = 'mongo' | 'rabbitmq' | 'redis' | 'blob'

/** One running store or broker, as its users and its fault tests see it. */
export interface Backend {
  name: BackendName
  /** Connection string; the same after stop() and start(). */
  url: string
  /** One line for a person: which one was taken and where its data lies. */
  origin: string
  /** Ends it gracefully; resolves when its processes and port are gone. Rejects if it came from the environment. */
  stop: () => Promise<void>
  /** Starts it again on the same port and data; resolves when it answers. Rejects if it came from the environment. */
  start: () => Promise<void>
  /** Signals the server process itself, and none that it stands on, for tests of faults. */
  signal: (signal: NodeJS.Signals) => void
}

export interface Backends {
  mongo: Backend
  rabbitmq: Backend
  redis: Backend
  blob: Backend
  /** Ends all that was started; what came from the environment is left alone. */
  stop: () => Promise<void>
}

export interface Options {
  /** Where data, logs and process records are kept; belongs to one run at a time. */
  dataDir: string
  /** Gets lines for a person: long waits, and one line for each backend once it answers. */
  report: (line: string) => void
  /** Port of blob storage, which browsers must know beforehand; a free one where it is not given. */
  blobPort?: number
  /** Where the addresses MONGO_URL, RABBITMQ_URL, REDIS_URL and BLOB_CONNECTION_STRING are looked up. */
  env?: NodeJS.ProcessEnv
}
