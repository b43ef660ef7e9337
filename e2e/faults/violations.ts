const kinds = ['lost', 'changed', 'twice', 'foreign', 'stuck', 'hang', 'answer', 'scenario'] as const

/** What a user was promised and did not get. */
export interface Violation {
  kind: (typeof kinds)[number]
  what: string
}

const BROKEN_PROMISE = 'What a user was promised does not hold'

/** One error that lists them all. */
export const brokenPromise = (violations: readonly Violation[]): Error =>
  new Error(`${BROKEN_PROMISE}:\n${violations.map(({ kind, what }) => `- ${kind}: ${what}`).join('\n')}`)

const eachViolation = new RegExp(String.raw`^- (?=(?:${kinds.join('|')}): )`, 'm')

/** What such an error lists, each as `kind: what`; nothing where it is another error. */
export const violationsIn = (message: string): string[] =>
  message.split(`${BROKEN_PROMISE}:\n`)[1]?.split(eachViolation).slice(1) ?? []

/** Whether a violation shows as `kind`, or as `kind: words of it`. */
export const showsAs = (violation: string, expected: string): boolean => {
  const [, kind = '', words = ''] = /^(\w+)(?:: (.+))?$/.exec(expected) ?? []
  return violation.startsWith(`${kind}: `) && violation.includes(words)
}

/** Whether a patch may expect this. Any failure at all ends a scenario, so words must tell which. */
export const isTelling = (expected: string): boolean =>
  kinds.some((kind) =>
    (kind === 'scenario' ? /^scenario: .+/ : new RegExp(`^${kind}(: .+)?$`)).test(expected),
  )
