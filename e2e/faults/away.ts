import type { Backend } from '@confetti/backends'

/** A way in which a backend goes away; resolves when it has. */
export type Away = (backend: Backend) => Promise<void>

const signalled =
  (signal: NodeJS.Signals): Away =>
  (backend) => {
    backend.signal(signal)
    return Promise.resolve()
  }

/** Its connections end and new ones are refused. */
export const isStopped: Away = (backend) => backend.stop()
export const isKilled = signalled('SIGKILL')
/** It answers nothing, on old connections and on new ones, which it takes. */
export const isFrozen = signalled('SIGSTOP')

/** Brings it back, however it went. */
export const comeBack = async (backend: Backend): Promise<void> => {
  backend.signal('SIGCONT')
  await backend.start()
}
