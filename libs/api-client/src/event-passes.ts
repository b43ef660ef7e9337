import { browserStorage } from './browser-storage.ts'
import { ApiError } from './errors.ts'

// The passes of this guest for events with a PIN.

const HEADER = 'X-Event-Pass'
// The inline script of the shell's index.html reads the same.
const KEY = 'eventPasses'

interface EventPass {
  eventId: string
  pass: string
  expiresAt: string
}

const listPasses = (): readonly EventPass[] => {
  try {
    return JSON.parse(browserStorage.get(KEY) ?? '[]') as EventPass[]
  } catch {
    return []
  }
}

/** Returns the header with the pass for an event, if the guest has one. */
export const passHeaders = (eventId: string | undefined): Record<string, string> => {
  const found = listPasses().find((each) => each.eventId === eventId)
  return found ? { [HEADER]: found.pass } : {}
}

/** Why the server has refused calls about events, by their ids, until the guest has a pass. */
const refusals = new Map<string, ApiError>()
const listeners = new Set<() => void>()
const notify = (): void => listeners.forEach((listener) => listener())

/** Records that a call about an event has failed for lack of a pass. `sent` has the pass that was sent. */
export const recordRefusal = (
  eventId: string | undefined,
  error: unknown,
  sent: Readonly<Record<string, string>>,
): void => {
  if (!eventId || !(error instanceof ApiError) || error.code !== 'pin_required') return
  // The guest may have got another pass since the call.
  if (refusals.has(eventId) || sent[HEADER] !== passHeaders(eventId)[HEADER]) return
  refusals.set(eventId, error)
  notify()
}

/** Which events ask this guest for their PIN, and the passes that the guest has. */
export const eventPasses = {
  list: listPasses,
  /** Stores passes in place of all others. Calls about their events have them from then on. */
  store: (passes: readonly EventPass[]): void => browserStorage.set(KEY, JSON.stringify(passes)),

  /** Calls `listener` when a pass is missing, or is there. Returns a function that removes the listener. */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The error of the calls that were refused because the guest has no pass for an event. */
  getRefusal: (eventId: string): ApiError | undefined => refusals.get(eventId),
  /** Forgets the refusal: the next call about the event shows whether a pass is still missing. */
  clearRefusal: (eventId: string): void => {
    // These requests were sent without the pass.
    delete window.prefetched
    refusals.delete(eventId)
    notify()
  },
}
