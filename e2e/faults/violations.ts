/** What a user was promised and did not get. */
export interface Violation {
  kind: 'lost' | 'changed' | 'twice' | 'foreign' | 'stuck' | 'hang' | 'answer' | 'scenario'
  what: string
}

/** What such an error begins with; the test of the tester looks for it. */
export const BROKEN_PROMISE = 'What a user was promised does not hold'

/** One error that lists them all. */
export const brokenPromise = (violations: readonly Violation[]): Error =>
  new Error(`${BROKEN_PROMISE}:\n${violations.map(({ kind, what }) => `- ${kind}: ${what}`).join('\n')}`)
