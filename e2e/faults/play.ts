import type { Event } from '@confetti/contracts'
import type { ServiceName } from '@confetti/launcher'
import { eventually, Hang, HANG_MS, newEvent } from '@confetti/test-kit'
import { expect } from '@jest/globals'
import type { Stand } from '../stand.ts'
import { openLedger, type Ledger, type VerifyOptions } from './ledger.ts'
import { countKinds, report, type Seen } from './seen.ts'
import { brokenPromise, type Violation } from './violations.ts'
import { watchGuest, type WatchedGuest } from './watched-guest.ts'

interface GuestOptions {
  eventId?: string
  hangMs?: number
  guestToken?: string
}

/** What a scenario has to work with: an event and a ledger of its own, and guests who watch. */
export interface Scene {
  event: Event
  ledger: Ledger
  guest: (credit?: string, options?: GuestOptions) => WatchedGuest
  /** All that was seen so far. */
  seen: readonly Seen[]
  /** Notes what a guest of another kind has seen, who hangs after a minute unless said otherwise. */
  saw: (seen: Seen, what?: string, hangMs?: number) => void
  violated: (violation: Violation) => void
}

const services: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway']
const WELL_WITHIN_MS = 60_000

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(HANG_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Those that do not come to themselves without a restart. */
const whoIsUnwell = async ({ system }: Stand): Promise<Violation[]> => {
  const replicas = services.flatMap((name) => system.replicas(name))
  const looked = await Promise.all(
    replicas.map(({ name, url }) =>
      eventually(() => isReady(url), `${name} being ready`, WELL_WITHIN_MS).then(
        () => undefined,
        (error: unknown): Violation => ({ kind: 'scenario', what: String(error) }),
      ),
    ),
  )
  return looked.filter((violation) => violation !== undefined)
}

/** What ended a scenario before its end. */
const violationOf = (error: unknown): Violation => {
  if (error instanceof Hang) return { kind: 'hang', what: error.message }
  return { kind: 'scenario', what: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/**
 * Plays one scenario, the test that calls it, and proves afterwards that nothing was lost in it. Throws one error
 * that lists all that does not hold.
 */
export const play = async (
  stand: Stand,
  scenario: (scene: Scene) => Promise<void>,
  options: VerifyOptions = {},
): Promise<void> => {
  const violations: Violation[] = []
  const violated = (violation: Violation): void => void violations.push(violation)
  const { api, admin, organiser } = stand
  const ledger = openLedger(stand)
  const event = await newEvent(api, admin, organiser)
  const allSeen: Seen[] = []
  const saw: Scene['saw'] = (seen, what = 'a call', hangMs = HANG_MS) => {
    allSeen.push(seen)
    // A little less, as timers and clocks disagree by a millisecond.
    if (seen.ms > hangMs - 50) violated({ kind: 'hang', what: `${what}: no end within ${hangMs / 1_000} s` })
  }
  const guests: WatchedGuest[] = []
  const guest: Scene['guest'] = (
    credit = `Table ${guests.length + 1}`,
    { eventId = event._id, ...options } = {},
  ) => {
    const one = watchGuest({
      api,
      eventId,
      credit,
      ledger,
      onSeen: saw,
      onViolation: violated,
      ...options,
    })
    guests.push(one)
    return one
  }

  try {
    await scenario({ event, ledger, guest, seen: allSeen, saw, violated })
    violations.push(...(await whoIsUnwell(stand)))
    violations.push(
      ...(await ledger.verify({ processed: stand.system.replicas('media').length > 0, ...options })),
    )
  } catch (error) {
    violated(violationOf(error))
  }
  for (const one of guests) one.close()
  const line = {
    scenario: expect.getState().currentTestName ?? 'a scenario',
    answers: countKinds(allSeen),
    longestWaitMs: Math.round(Math.max(0, ...allSeen.map(({ ms }) => ms))),
    acknowledged: ledger.count(),
    violations,
  }
  await report(line)
  if (violations.length > 0) throw brokenPromise(violations)
}
