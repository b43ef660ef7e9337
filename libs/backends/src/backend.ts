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
