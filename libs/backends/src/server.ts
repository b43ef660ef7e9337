import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, isFree } from './ports.ts'
import type { Context, Running, ServerSpec } from './plan.ts'
import { launchProcess } from './process.ts'
import { messageOf, tail } from './programs.ts'
import { serversIn } from './records.ts'
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

/** A server that can be started, ended and started again; errors show the end of its log. */
export const makeServer = (spec: ServerSpec, { dataDir, report }: Context): Server => {
  const log = join(dataDir, 'logs', `${spec.name}.log`)
  const record = join(serversIn(dataDir), `${spec.name}.json`)
  mkdirSync(join(dataDir, 'logs'), { recursive: true })
  writeFileSync(log, '')
  let running: Running | undefined
  let ended = Promise.resolve()
  let ending = false

  const signal = (name: NodeJS.Signals) => {
    if (!running) return
    if (name !== 'SIGSTOP' && name !== 'SIGCONT') ending = true
    running.send(name)
  }

  const launch = async () => {
    ending = false
    running = 'launch' in spec ? await spec.launch(log) : launchProcess(spec, log, record)
    ended = running.ended.then(() => {
      running = undefined
    })
  }

  const failure = async (what: string) => {
    const lines = tail(readFileSync(log, 'utf8'), 15)
    const saysSo = /address (already )?in use|eaddrinuse|already allocated/i.test(`${what}\n${lines}`)
    const Kind = saysSo || (!running && !(await isFree(spec.port))) ? PortLost : Error
    return new Kind(`${spec.name} ${what}. The end of ${log}:\n${lines}`)
  }

  const isRunning = (): boolean => running !== undefined

  const start = async () => {
    if (ending) await ended
    if (isRunning()) return
    if (!(await isFree(spec.port))) throw new PortLost(`${spec.name}: port ${spec.port} is in use.`)
    try {
      await launch()
    } catch (error) {
      throw await failure(`could not be started (${messageOf(error)})`)
    }
    let answer: string | undefined
    const answered = await until(async () => {
      answer = running && (await ask(spec.port, spec.hello))
      return !running || (answer !== undefined && spec.welcome.test(answer))
    }, startSeconds)
    if (!isRunning()) throw await failure('ended before it was ready')
    if (!answered) throw await failure(`was not ready within ${startSeconds} s`)
    void ended.then(() => !ending && report(`${spec.name} ended unexpectedly, see ${log}`))
  }

  const stop = async () => {
    signal(('stopSignal' in spec && spec.stopSignal) || 'SIGTERM')
    signal('SIGCONT')
    if (!(await until(() => !running, stopSeconds))) {
      report(`${spec.name} did not end within ${stopSeconds} s and is killed, see ${log}`)
      signal('SIGKILL')
    }
    await ended
    if (!(await until(() => isFree(spec.port), 10)))
      throw new Error(`${spec.name}: port ${spec.port} stays in use.`)
  }

  return { start, stop, signal }
}
