const kinds = [
  'lost',
  'mismatch',
  'duplicate',
  'unexpected',
  'stuck',
  'hang',
  'response',
  'assertion',
  // Of the simulation.
  'broken',
] as const

/** An invariant that a scenario violated. */
export interface Violation {
  kind: (typeof kinds)[number]
  what: string
}

const HEADING = 'Invariants violated'

/** Creates one error that lists all violations. */
export const createViolationError = (violations: readonly Violation[]): Error =>
  new Error(`${HEADING}:\n${violations.map(({ kind, what }) => `- ${kind}: ${what}`).join('\n')}`)

const startOfViolation = new RegExp(String.raw`^- (?=(?:${kinds.join('|')}): )`, 'm')

/** The violations in the message of an error from `createViolationError`, as `kind: what`; none in other messages. */
export const parseViolations = (message: string): string[] =>
  message.split(`${HEADING}:\n`)[1]?.split(startOfViolation).slice(1) ?? []

/** Whether a violation is of the expected `kind`, and contains the words of an expected `kind: words`. */
export const matchesViolation = (violation: string, expected: string): boolean => {
  const [, kind = '', words = ''] = /^(\w+)(?:: (.+))?$/.exec(expected) ?? []
  return violation.startsWith(`${kind}: `) && violation.includes(words)
}

/** Whether an expectation is specific enough. Any error is an `assertion`, and any promise may be broken: these need words. */
export const isSpecific = (expected: string): boolean =>
  kinds.some((kind) =>
    new RegExp(['assertion', 'broken'].includes(kind) ? `^${kind}: .+` : `^${kind}(: .+)?$`).test(expected),
  )
