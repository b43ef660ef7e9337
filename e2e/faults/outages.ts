import type { Backend } from '@confetti/backends'

/** Makes a backend unavailable in one particular way. Resolves when it is unavailable. */
export type Outage = (backend: Backend) => Promise<void>

const sendSignal =
  (signal: NodeJS.Signals): Outage =>
  (backend) => {
    backend.signal(signal)
    return Promise.resolve()
  }

/** Closes all connections; new ones are refused. */
export const stopBackend: Outage = (backend) => backend.stop()
export const killBackend = sendSignal('SIGKILL')
/** The backend still accepts connections, but does not respond on any. */
export const freezeBackend = sendSignal('SIGSTOP')

/** Makes a backend available again after any of these outages. */
export const restoreBackend = async (backend: Backend): Promise<void> => {
  backend.signal('SIGCONT')
  await backend.start()
}
