import { findRemoteInStack, getVersion } from '@confetti/federation/load'
import type { RemoteName } from '@confetti/federation/remote'
import { api } from '@confetti/session'

/** The version of the shell, which the build inserts. */
declare const SHELL_VERSION: string

const MAX_REPORTS = 5
// Together less than the largest report that the gateway accepts.
const MAX_ERROR_CHARACTERS = 300
const MAX_STACK_CHARACTERS = 1_500

const reported = new Set<string>()

const describe = (error: unknown): { text: string; stack: string } => {
  if (!(error instanceof Error)) return { text: String(error), stack: '' }
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return { text: `${error.name}: ${error.message}${cause}`, stack: error.stack ?? '' }
}

/**
 * Reports an error to the operators: each once, and at most five on a page. `remote` is the one whose page failed; if it is
 * missing, it is found in the stack. Failures are ignored.
 */
export const reportClientError = (thrown: unknown, remote?: RemoteName): void => {
  const { text, stack } = describe(thrown)
  const isOfExtension = stack.includes('-extension://')
  if (isOfExtension || reported.has(text) || reported.size >= MAX_REPORTS) return
  reported.add(text)
  const source = remote ?? findRemoteInStack(stack)
  const body = {
    remote: source ?? ('shell' as const),
    release: source ? (getVersion(source) ?? 'unknown') : SHELL_VERSION,
    page: location.pathname,
    error: text.slice(0, MAX_ERROR_CHARACTERS),
    stack: stack.slice(0, MAX_STACK_CHARACTERS),
  }
  // `keepalive`, because the page may be closed after an error.
  api()
    .post('/api/client-errors', { body, asGuest: true, quiet: true, keepalive: true })
    .catch(() => undefined)
}

/** Reports errors that no code handles. */
export const reportUncaughtErrors = (): void => {
  window.addEventListener('error', ({ error }) => {
    // An error of a script from another origin has no details.
    if (error) reportClientError(error)
  })
  window.addEventListener('unhandledrejection', ({ reason }) => reportClientError(reason))
}
