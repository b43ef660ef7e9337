import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { services, type Environment, type ServiceName } from './services.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// The same flags as in the image. A small young generation frees the buffers of forwarded data early: V8
// collects the whole heap after each 64 MB of buffers that are not freed, and a small heap after each 10 MB.
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=1']

/** A service that runs as a separate process, as in production. */
export interface ServiceProcess {
  name: ServiceName
  /** `restart` does not change it. */
  url: string
  metricsUrl: string
  pid: () => number
  /**
   * Sends a signal and resolves with the exit code when the process has ended; null if the signal ended it.
   */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  signal: (signal: NodeJS.Signals) => void
  /** Starts the process again on the same ports. */
  restart: () => Promise<void>
}

const processEnvironment = (environment: Environment) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_ENV: 'production',
  ...environment,
})

/**
 * Runs one of a service's commands. Resolves with its standard output; rejects if it fails or takes over 60
 * s.
 */
export const runCommand = async (
  name: ServiceName,
  script: string,
  args: readonly string[],
  environment: Environment,
): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    cwd: `${root}${services[name].folder}`,
    env: processEnvironment(environment),
    timeout: 60_000,
  })
  return stdout
}

const START_TIMEOUT_MS = 60_000

interface LogLine {
  msg?: string
  port?: number
  metricsPort?: number
}

const parseLogLine = (line: string): LogLine | undefined => {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    return undefined
  }
}

/** Calls `onLine` with each line of a stream. Readline also ends lines at U+2028, which texts of guests may contain. */
const onEachLine = (stream: Readable, onLine: (line: string) => void): void => {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  stream.on('end', () => {
    if (rest) onLine(rest)
  })
}

/**
 * Starts a service and resolves when it listens. Uses free ports unless `environment` sets them. Rejects with
 * the last 50 lines of output if the process ends earlier or does not listen within 60 s.
 */
export const startService = async (
  name: ServiceName,
  environment: Environment,
  {
    program = 'src/main.ts',
    onLine = () => undefined,
  }: { program?: string; onLine?: (line: string) => void } = {},
): Promise<ServiceProcess> => {
  const start = async (ports: Environment) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, `${root}${services[name].folder}/${program}`], {
      cwd: `${root}${services[name].folder}`,
      env: processEnvironment({ ...environment, ...ports }),
      // The channel closes when this process ends, however it ends; the service then shuts down.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const exited = once(child, 'exit') as Promise<[number | null]>
    const lastLines: string[] = []
    const listening = Promise.withResolvers<{ port: number; metricsPort: number }>()
    for (const stream of [child.stdout, child.stderr].filter((output) => output !== null))
      onEachLine(stream, (line) => {
        lastLines.push(line)
        if (lastLines.length > 50) lastLines.shift()
        onLine(line)
        const { msg, port, metricsPort } = parseLogLine(line) ?? {}
        if (msg === 'listening' && port && metricsPort) listening.resolve({ port, metricsPort })
      })
    const fail = (reason: string): void =>
      listening.reject(new Error(`${name} ${reason}\n${lastLines.join('\n')}`))
    const timer = setTimeout(() => {
      fail(`did not start within ${START_TIMEOUT_MS} ms`)
      child.kill('SIGKILL')
    }, START_TIMEOUT_MS)
    exited.then(
      ([code]) => fail(`exited with code ${code}`),
      (error: unknown) => fail(`could not be started: ${String(error)}`),
    )
    const boundPorts = await listening.promise.finally(() => clearTimeout(timer))
    return { child, exited, ...boundPorts }
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

/** Starts a service in this process, with the variables of its environment. */
export type StartInProcess = (
  environment: Environment,
  onLine: (line: string) => void,
) => Promise<{ url: string; metricsUrl: string; stop: () => Promise<void> }>

/** Like `startService`, in this process: `signal` throws, and `stop` takes no signal. */
export const startInProcess = async (
  name: ServiceName,
  start: StartInProcess,
  environment: Environment,
  onLine: (line: string) => void,
): Promise<ServiceProcess> => {
  let running = await start({ PORT: '0', METRICS_PORT: '0', ...environment }, onLine)
  const { url, metricsUrl } = running
  const noSignals = (): never => {
    throw new Error(`${name} runs in this process: start it as one of its own to send it signals`)
  }
  return {
    name,
    url,
    metricsUrl: `${metricsUrl}/metrics`,
    pid: noSignals,
    signal: noSignals,
    stop: async (signal) => {
      if (signal) noSignals()
      await running.stop()
      return 0
    },
    restart: async () => {
      const ports = { PORT: new URL(url).port, METRICS_PORT: new URL(metricsUrl).port }
      running = await start({ ...environment, ...ports }, onLine)
    },
  }
}
