import type { Event } from '@confetti/contracts'
import { serviceNames } from '@confetti/launcher'
import { eventually, HangError, HANG_TIMEOUT_MS, newEvent } from '@confetti/test-kit'
import { expect } from '@jest/globals'
import type { Harness } from '../harness.ts'
import type { CallResult } from './call-result.ts'
import { createViolationError, type Violation } from './invariant-violations.ts'
import { appendReport, countOutcomes } from './scenario-report.ts'
import { createSimulatedGuest, type SimulatedGuest } from './simulated-guest.ts'
import { createUploadLog, type UploadLog, type VerifyOptions } from './upload-log.ts'

interface GuestOptions {
  eventId?: string
  hangMs?: number
  guestToken?: string
}

/** What a scenario works with: an event and an upload log of its own, and simulated guests. */
export interface ScenarioContext {
  event: Event
  uploadLog: UploadLog
  guest: (credit?: string, options?: GuestOptions) => SimulatedGuest
  /** The results of all calls so far. */
  results: readonly CallResult[]
  /** Records a call that no simulated guest made. It counts as a hang after a minute unless `hangMs` is given. */
  recordResult: (result: CallResult, what?: string, hangMs?: number) => void
  reportViolation: (violation: Violation) => void
}

const READY_TIMEOUT_MS = 60_000

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(HANG_TIMEOUT_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Waits until every service is ready. Returns a violation for each one that is not ready without a restart. */
const verifyReadiness = async ({ system }: Harness): Promise<Violation[]> => {
  const replicas = serviceNames.flatMap((name) => system.replicas(name))
  const checked = await Promise.all(
    replicas.map(({ name, url }) =>
      eventually(() => isReady(url), `${name} being ready`, READY_TIMEOUT_MS).then(
        () => undefined,
        (error: unknown): Violation => ({ kind: 'assertion', what: String(error) }),
      ),
    ),
  )
  return checked.filter((violation) => violation !== undefined)
}

/** The violation for an error that a scenario threw. */
const toViolation = (error: unknown): Violation => {
  if (error instanceof HangError) return { kind: 'hang', what: error.message }
  return { kind: 'assertion', what: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/**
 * Runs a scenario as the body of the calling test, then checks the invariants: no upload is lost, every service is
 * ready. Throws one error that lists all violations.
 */
export const runScenario = async (
  harness: Harness,
  scenario: (context: ScenarioContext) => Promise<void>,
  options: VerifyOptions = {},
): Promise<void> => {
  const violations: Violation[] = []
  const reportViolation = (violation: Violation): void => void violations.push(violation)
  const { api, admin, organiser } = harness
  const uploadLog = createUploadLog(harness)
  const event = await newEvent(api, admin, organiser)
  const results: CallResult[] = []
  const recordResult: ScenarioContext['recordResult'] = (
    result,
    what = 'a call',
    hangMs = HANG_TIMEOUT_MS,
  ) => {
    results.push(result)
    // Timers and clocks differ by a millisecond, so the limit is a little lower.
    if (result.ms > hangMs - 50)
      reportViolation({ kind: 'hang', what: `${what}: no end within ${hangMs / 1_000} s` })
  }
  const guests: SimulatedGuest[] = []
  const guest: ScenarioContext['guest'] = (
    credit = `Table ${guests.length + 1}`,
    { eventId = event._id, ...options } = {},
  ) => {
    const created = createSimulatedGuest({
      api,
      eventId,
      credit,
      uploadLog,
      onResult: recordResult,
      onViolation: reportViolation,
      ...options,
    })
    guests.push(created)
    return created
  }

  try {
    await scenario({ event, uploadLog, guest, results, recordResult, reportViolation })
    violations.push(...(await verifyReadiness(harness)))
    violations.push(
      ...(await uploadLog.verify({
        expectProcessed: harness.system.replicas('media').length > 0,
        ...options,
      })),
    )
  } catch (error) {
    reportViolation(toViolation(error))
  }
  for (const { close } of guests) close()
  await appendReport({
    scenario: expect.getState().currentTestName ?? 'a scenario',
    outcomes: countOutcomes(results),
    longestWaitMs: Math.round(Math.max(0, ...results.map(({ ms }) => ms))),
    acknowledged: uploadLog.acknowledgedCount(),
    violations,
  })
  if (violations.length > 0) throw createViolationError(violations)
}
