import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ask, isFree } from './ports.ts'
import type { Context, ServerSpec } from './plan.ts'
import { tail } from './programs.ts'
import { serversIn, writeRecord } from './records.ts'
import { until } from './until.ts'

export interface Server {
  start(): Promise<void>
  stop(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Somebody else took a server's port between drawing and using it. */
export class PortLost extends Error {}

const startSeconds = 120
const stopSeconds = 30

/** A server process that can be started, ended and started again; errors show the end of its log. */
export const makeServer = (spec: ServerSpec, { dataDir, report }: Context): Server => {
  const log = join(dataDir, 'logs', `${spec.name}.log`)
  const record = join(serversIn(dataDir), `${spec.name}.json`)
  let child: ChildProcess | undefined
  let ended = Promise.resolve()
  let ending = false
  let logMode = 'w'

  const signal = (name: NodeJS.Signals) => {
    if (!child) return
    if (name !== 'SIGSTOP' && name !== 'SIGCONT') ending = true
    if (spec.send) spec.send(name)
    else child.kill(name)
  }

  const launch = () => {
    mkdirSync(join(dataDir, 'logs'), { recursive: true })
    const output = openSync(log, logMode)
    logMode = 'a'
    ending = false
    // Detached: Ctrl-C in a terminal reaches the caller alone, who then ends things in order.
    const started = spawn(spec.command, spec.args, {
      detached: true,
      stdio: ['ignore', output, output],
      ...(spec.env && { env: spec.env }),
    })
    closeSync(output)
    child = started
    if (started.pid) writeRecord(record, started.pid, spec.stopSignal)
    ended = new Promise((resolve) => {
      const over = () => {
        child = undefined
        rmSync(record, { force: true })
        resolve()
      }
      started.once('error', over).once('exit', over)
    })
  }

  const failure = async (what: string) => {
    const lines = tail(readFileSync(log, 'utf8'), 15)
    const saysSo = /address (already )?in use|eaddrinuse|already allocated/i.test(lines)
    const Kind = saysSo || (!child && !(await isFree(spec.port))) ? PortLost : Error
    return new Kind(`${spec.name} ${what}. The end of ${log}:\n${lines}`)
  }

  const isRunning = (): boolean => child !== undefined

  const start = async () => {
    if (ending) await ended
    if (isRunning()) return
    if (!(await isFree(spec.port))) throw new PortLost(`${spec.name}: port ${spec.port} is in use.`)
    launch()
    let answer: string | undefined
    const answered = await until(async () => {
      answer = child && (await ask(spec.port, spec.hello))
      return !child || answer?.startsWith(spec.welcome) === true
    }, startSeconds)
    if (!isRunning()) throw await failure('ended before it was ready')
    if (!answered) throw await failure(`was not ready within ${startSeconds} s`)
    void ended.then(() => !ending && report(`${spec.name} ended unexpectedly, see ${log}`))
  }

  const stop = async () => {
    signal(spec.stopSignal ?? 'SIGTERM')
    signal('SIGCONT')
    if (!(await until(() => !child, stopSeconds))) {
      report(`${spec.name} did not end within ${stopSeconds} s and is killed, see ${log}`)
      signal('SIGKILL')
      child?.kill('SIGKILL')
    }
    await ended
    if (!(await until(() => isFree(spec.port), 10)))
      throw new Error(`${spec.name}: port ${spec.port} stays in use.`)
  }

  return { start, stop, signal }
}
