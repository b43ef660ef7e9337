import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const folders = {
  auth: 'services/auth',
  events: 'services/events',
  uploads: 'services/uploads',
  contact: 'services/contact',
  media: 'services/media',
  gateway: 'gateway',
} as const
export type ServiceName = keyof typeof folders

// As the image's. With a small young generation, buffers that have been passed on are freed soon after: V8 collects
// the whole heap after each 64 MB of them that are not, and a small heap after each 10.
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=1']

export type Environment = Readonly<Record<string, string>>

/** A service that runs as a process of its own, just as in production. */
export interface ServiceProcess {
  name: ServiceName
  /** The same after `restart`. */
  url: string
  metricsUrl: string
  pid: () => number
  /** Sends a signal and resolves when the process has ended; with its exit code, if it had one. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  signal: (signal: NodeJS.Signals) => void
  /** Starts it again on the same ports. */
  restart: () => Promise<void>
}

const ourEnvironment = (environment: Environment) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  NODE_ENV: 'production',
  ...environment,
})

/** Runs one of a service's commands to its end; resolves with what it printed, rejects if it failed. */
export const runCommand = async (
  name: ServiceName,
  script: string,
  args: readonly string[],
  environment: Environment,
): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    cwd: `${root}${folders[name]}`,
    env: ourEnvironment(environment),
    timeout: 60_000,
  })
  return stdout
}

const START_TIME_LIMIT_MS = 60_000

interface LogLine {
  msg?: string
  port?: number
  metricsPort?: number
}

const parseLine = (line: string): LogLine | undefined => {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    return undefined
  }
}

/**
 * Starts a service and resolves when it listens. Ports that `environment` does not name are free ones.
 * Rejects, with what the process last said, if it ends before or is not up within a minute.
 */
export const startService = async (
  name: ServiceName,
  environment: Environment,
  onLine: (line: string) => void = () => undefined,
): Promise<ServiceProcess> => {
  const start = async (ports: Environment) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, `${root}${folders[name]}/src/main.ts`], {
      cwd: `${root}${folders[name]}`,
      env: ourEnvironment({ ...environment, ...ports }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit') as Promise<[number | null]>
    const said: string[] = []
    const listening = Promise.withResolvers<{ port: number; metricsPort: number }>()
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line)
        if (said.length > 50) said.shift()
        onLine(line)
        const { msg, port, metricsPort } = parseLine(line) ?? {}
        if (msg === 'listening' && port && metricsPort) listening.resolve({ port, metricsPort })
      })
    const fail = (what: string): void => listening.reject(new Error(`${name} ${what}\n${said.join('\n')}`))
    const timer = setTimeout(() => {
      fail('did not start in time')
      child.kill('SIGKILL')
    }, START_TIME_LIMIT_MS)
    exited.then(
      ([code]) => fail(`ended with status ${code}`),
      (error: unknown) => fail(`could not be started: ${String(error)}`),
    )
    const at = await listening.promise.finally(() => clearTimeout(timer))
    return { child, exited, ...at }
  }

  let running = await start({ PORT: environment.PORT ?? '0', METRICS_PORT: environment.METRICS_PORT ?? '0' })
  const { port, metricsPort } = running
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: () => running.child.pid ?? 0,
    signal: (signal) => void running.child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      running.child.kill(signal)
      const [code] = await running.exited
      return code
    },
    restart: async () => {
      running = await start({ PORT: String(port), METRICS_PORT: String(metricsPort) })
    },
  }
}
