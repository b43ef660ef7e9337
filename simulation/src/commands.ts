import fc from 'fast-check'
import { FILES } from './files.ts'
import { serviceNames, type ServiceName } from './services.ts'
import type { UseOfSession } from './sessions.ts'
import type { Dependency } from './world.ts'

/** What somebody does, or what goes wrong. Numbers choose among what there is. */
export type Command =
  | {
      kind: 'send'
      event: number
      guest: number
      credit: number
      file: number
      hash: 'true' | 'false' | 'none'
      /** With what the hash is declared. */
      hashWith: 'ticket' | 'completion'
      /** What the guest does when the bytes have been sent. To lease a blob is to keep others from removing it. */
      then: 'complete' | 'leave' | 'lease'
      /** After how many seconds: a phone may sleep. */
      thenAfter: number
    }
  | { kind: 'send form'; event: number; guest: number; credit: number; file: number }
  | { kind: 'steal'; guest: number; index: number }
  | {
      kind: 'take back'
      guest: number
      index: number
      /** After how many seconds the guest restores it. Undefined: never. */
      restoredAfter: number | undefined
    }
  | { kind: 'rename'; event: number; guest: number; credit: number }
  | { kind: 'report'; index: number; guests: number }
  | { kind: 'hide' | 'show' | 'delete'; index: number }
  | {
      kind: 'close' | 'open' | 'approve' | 'show all' | 'allow copies' | 'forbid copies' | 'delete event'
      event: number
    }
  /** Sets one of two, or takes away what there is. */
  | { kind: 'set PIN' | 'set consent' | 'set quota'; event: number; choice: number | undefined }
  | { kind: 'look' | 'make link' | 'end links'; event: number; guest: number }
  | { kind: 'add organiser'; event: number; account: number }
  | {
      kind:
        | 'write to admins'
        | 'forget password'
        | 'sign in'
        | 'change password'
        | 'sign out everywhere'
        | 'deactivate'
        | 'activate'
        | 'erase account'
      account: number
    }
  | { kind: 'use session'; use: UseOfSession; session: number }
  | { kind: 'crash' | 'cut'; service: ServiceName }
  | { kind: 'outage'; of: Dependency }
  | { kind: 'lose queue'; queue: number }
  | { kind: 'recover' }
  | { kind: 'wait'; seconds: number }

export const EVENTS = 2
export const ACCOUNTS = 2
const GUESTS = 3

const oneOf = <const T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const event = fc.nat(EVENTS - 1)
const index = fc.nat(11)
const account = fc.nat(ACCOUNTS - 1)
// Most promises are about uploads.
const service = oneOf<ServiceName>(...serviceNames, 'uploads', 'uploads')
const dependency = oneOf<Dependency>(
  'blobs',
  'broker',
  'mail server',
  ...serviceNames.map((name) => `database of ${name}` as const),
)

/** Who sends what, under which name. */
const sent = {
  event,
  guest: fc.nat(GUESTS - 1),
  credit: fc.nat(1),
  file: fc.nat(FILES - 1),
}

const weighted: [number, fc.Arbitrary<Command>][] = [
  [
    12,
    fc.record({
      kind: oneOf('send'),
      ...sent,
      hash: oneOf('true', 'true', 'none', 'false'),
      hashWith: oneOf('ticket', 'completion'),
      then: oneOf('complete', 'complete', 'complete', 'complete', 'complete', 'leave', 'lease'),
      thenAfter: oneOf(0, 0, 0, 0, 6, 60),
    }),
  ],
  [3, fc.record({ kind: oneOf('send form'), ...sent })],
  [1, fc.record({ kind: oneOf('steal'), guest: fc.nat(GUESTS - 1), index })],
  [
    3,
    fc.record({
      kind: oneOf('take back'),
      guest: fc.nat(GUESTS - 1),
      index,
      restoredAfter: oneOf(undefined, 0, 5, 29, 31),
    }),
  ],
  [2, fc.record({ kind: oneOf('rename'), event, guest: fc.nat(GUESTS - 1), credit: fc.nat(1) })],
  [2, fc.record({ kind: oneOf('report'), index, guests: oneOf(1, GUESTS, GUESTS) })],
  [4, fc.record({ kind: oneOf('hide', 'show', 'delete'), index })],
  [2, fc.record({ kind: oneOf('close', 'open', 'open', 'approve', 'show all'), event })],
  [1, fc.record({ kind: oneOf('allow copies', 'forbid copies'), event })],
  [6, fc.record({ kind: oneOf('set PIN', 'set consent'), event, choice: oneOf(0, 0, 1, 1, undefined) })],
  [3, fc.record({ kind: oneOf('set quota'), event, choice: oneOf(0, 1, undefined) })],
  [2, fc.record({ kind: oneOf('look'), event, guest: fc.nat(GUESTS - 1) })],
  // Of few guests, so that one ends what they have made.
  [3, fc.record({ kind: oneOf('make link', 'make link', 'end links'), event, guest: fc.nat(1) })],
  [1, fc.record({ kind: oneOf('add organiser'), event, account })],
  [
    2,
    fc.record({
      kind: oneOf(
        'write to admins',
        'write to admins',
        'forget password',
        'change password',
        'sign out everywhere',
        'deactivate',
        'activate',
        'erase account',
      ),
      account,
    }),
  ],
  [1, fc.record({ kind: oneOf('sign in'), account })],
  [
    6,
    fc.record({
      kind: oneOf('use session'),
      use: oneOf(
        'refresh',
        'refresh',
        'refresh in two tabs',
        'refresh in two tabs',
        'reuse token',
        'sign out',
      ),
      session: fc.nat(2),
    }),
  ],
  [4, fc.record({ kind: oneOf('crash', 'cut'), service })],
  [1, fc.record({ kind: oneOf('outage'), of: dependency })],
  [2, fc.record({ kind: oneOf('lose queue'), queue: fc.nat(11) })],
  [3, fc.record({ kind: oneOf('recover') })],
  // Past the caches of events, the leases of outboxes, the retries of messages, processing that is overdue, and old blobs.
  [4, fc.record({ kind: oneOf('wait'), seconds: oneOf(1, 6, 6, 6, 31, 400, 4_000, 90_000) })],
]

/** An evening; one in three ends with the deletion of an event. */
export const evenings: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.array(fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
      minLength: 1,
      maxLength: 28,
      size: 'max',
    }),
    fc.option(fc.record({ kind: oneOf('delete event'), event }), { freq: 2 }),
  )
  .map(([commands, end]) => (end ? [...commands, end] : commands))
