import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessSpec, ProviderContext, RunningServer, ServerSpec } from './backend.ts'
import { isPortFree, sendProbe } from './ports.ts'
import { serversDir, writeProcessRecord } from './process-records.ts'
import { errorMessage, lastLines } from './programs.ts'
import { waitUntil } from './wait-until.ts'

export interface Server {
  start(): Promise<void>
  stop(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Another process took a server's port after it was allocated. */
export class PortInUseError extends Error {}

const startTimeoutSeconds = 120
const stopTimeoutSeconds = 30
const portReleaseTimeoutSeconds = 10

/**
 * Starts a process that appends its output to the log file. The record file exists while the process runs.
 */
const launchProcess = (spec: ProcessSpec, logFile: string, recordFile: string): RunningServer => {
  const output = openSync(logFile, 'a')
  // Detached, so that Ctrl-C in a terminal reaches only the caller, which then stops the servers in order.
  const child = spawn(spec.command, spec.args, {
    detached: true,
    stdio: ['ignore', output, output],
    ...(spec.env && { env: spec.env }),
  })
  closeSync(output)
  if (child.pid) writeProcessRecord(recordFile, child.pid, spec.stopSignal)
  const exited = new Promise<void>((resolve) => {
    const onExit = () => {
      rmSync(recordFile, { force: true })
      resolve()
    }
    child.once('error', onExit).once('exit', onExit)
  })
  return { exited, sendSignal: (signal) => void child.kill(signal) }
}

/** Creates a server that can be started and stopped repeatedly. Start errors include the end of its log. */
export const createServer = (spec: ServerSpec, { dataDir, report }: ProviderContext): Server => {
  const logFile = join(dataDir, 'logs', `${spec.name}.log`)
  const recordFile = join(serversDir(dataDir), `${spec.name}.json`)
  mkdirSync(join(dataDir, 'logs'), { recursive: true })
  writeFileSync(logFile, '')
  let running: RunningServer | undefined
  let exited = Promise.resolve()
  let isStopping = false

  const signal = (name: NodeJS.Signals) => {
    if (!running) return
    if (name !== 'SIGSTOP' && name !== 'SIGCONT') isStopping = true
    running.sendSignal(name)
  }

  const launch = async () => {
    isStopping = false
    running = 'launch' in spec ? await spec.launch(logFile) : launchProcess(spec, logFile, recordFile)
    exited = running.exited.then(() => {
      running = undefined
    })
  }

  const createStartError = async (problem: string) => {
    const logEnd = lastLines(readFileSync(logFile, 'utf8'), 15)
    const reportsPortInUse = /address (already )?in use|eaddrinuse|already allocated/i.test(
      `${problem}\n${logEnd}`,
    )
    const isPortInUse = reportsPortInUse || (!running && !(await isPortFree(spec.port)))
    const message = `${spec.name} ${problem}. Last lines of ${logFile}:\n${logEnd}`
    return isPortInUse ? new PortInUseError(message) : new Error(message)
  }

  const isRunning = (): boolean => running !== undefined

  const start = async () => {
    if (isStopping) await exited
    if (isRunning()) return
    if (!(await isPortFree(spec.port))) throw new PortInUseError(`${spec.name}: port ${spec.port} is in use.`)
    try {
      await launch()
    } catch (error) {
      throw await createStartError(`failed to start (${errorMessage(error)})`)
    }
    let response: string | undefined
    const exitedOrReady = await waitUntil(async () => {
      response = running && (await sendProbe(spec.port, spec.probe.request))
      return !running || (response !== undefined && spec.probe.expectedResponse.test(response))
    }, startTimeoutSeconds)
    if (!isRunning()) throw await createStartError('exited before it was ready')
    if (!exitedOrReady) throw await createStartError(`was not ready within ${startTimeoutSeconds} s`)
    void exited.then(() => !isStopping && report(`${spec.name} exited unexpectedly, see ${logFile}`))
  }

  const stop = async () => {
    signal(('stopSignal' in spec && spec.stopSignal) || 'SIGTERM')
    signal('SIGCONT')
    if (!(await waitUntil(() => !running, stopTimeoutSeconds))) {
      report(`${spec.name} did not stop within ${stopTimeoutSeconds} s and is killed, see ${logFile}`)
      signal('SIGKILL')
    }
    await exited
    if (!(await waitUntil(() => isPortFree(spec.port), portReleaseTimeoutSeconds)))
      throw new Error(`${spec.name} has stopped, but port ${spec.port} is still in use.`)
  }

  return { start, stop, signal }
}
