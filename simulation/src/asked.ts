import { setTimeout as sleep } from 'node:timers/promises'
import { createUploads, createUploadTickets, type RouteContract, type Upload } from '@confetti/contracts'
import { AppError, issuePass, withCaller } from '@confetti/service-kit'
import { BrokenPromise, KNOWN_AFTER_MS } from './promises.ts'
import type { World } from './world.ts'

/** So long that every replica has learned of a change meanwhile. */
const MAX_TRIES = 10

/** What guests may do only once they agree to what the event says. */
const needConsent: ReadonlySet<RouteContract> = new Set<RouteContract>([createUploads, createUploadTickets])

/** What the uploads service knows that an event asks of guests. */
interface Asked {
  pinHash: unknown
  consentVersion: unknown
  /** In milliseconds. */
  since: number
}

/** What a guest shows of that: a pass for the PIN with this hash, and the version of what they agree to. */
interface Shown {
  pass?: string
  pinHash?: string
  consentVersion?: string | undefined
  /** Of the event, when the guest asked for the PIN and the text. */
  revision?: unknown
}

/** Whether an error asks for the PIN of an event, or for consent. */
export const isAskedFor = (code: string | undefined): boolean =>
  code === 'pin_required' || code === 'consent_required'

const withPass = <T>(pass: string | undefined, work: () => Promise<T>): Promise<T> =>
  withCaller({ address: '::1', proof: { pass, findPrincipal: () => Promise.resolve(undefined) } }, work)

/** The PIN of events and what guests must agree to; what guests show of both, as the page does, and whether that counts. */
export const createAsked = ({ ask, databases }: World) => {
  const asked = new Map<string, Asked>()
  const shown = new Map<string, Shown>()
  /** What may be recorded as agreed to, by the id of the upload. */
  const consents = new Map<string, unknown[]>()

  const revisionOf = (eventId: string): unknown =>
    databases.events.read('events').find(({ _id }) => String(_id) === eventId)?.revision

  /** What the gateway and the page give a guest who knows the PIN and agrees. Throws what the events service refuses. */
  const learn = async (eventId: string, { pass: former, ...before }: Shown): Promise<Shown> => {
    const revision = revisionOf(eventId)
    const pin = await ask('events', 'pin', ({ viewing }) =>
      viewing.getPin(eventId).catch((error: unknown) => {
        if (error instanceof AppError && error.kind === 'not_found') return undefined
        throw error
      }),
    )
    const pass = pin ? issuePass(eventId, pin.pinHash, new Date()).pass : former
    const event = await withPass(pass, () =>
      ask('events', 'event', ({ viewing }) => viewing.get(eventId, undefined)),
    )
    return {
      ...before,
      ...(pin && { pinHash: pin.pinHash }),
      ...(pass && { pass }),
      ...(event.consent && { consentVersion: event.consent.version }),
      revision,
    }
  }

  /**
   * Calls a route as a guest, who shows what an event has asked of them so far, and gets what it asks for now. Returns also what
   * may be recorded as agreed to.
   */
  const askAsGuest = async <T>(
    guest: string,
    eventId: string,
    route: RouteContract,
    work: (consentVersion: string | undefined) => Promise<T>,
  ): Promise<{ answer: T; consents: unknown[] }> => {
    const key = `${guest} ${eventId}`
    let mustLearn = false
    for (let tries = 1; ; tries += 1) {
      let given = shown.get(key) ?? {}
      try {
        if (mustLearn) {
          given = await learn(eventId, given)
          shown.set(key, given)
        }
        const before = asked.get(eventId)
        const revision = revisionOf(eventId)
        const isKnown = before && Date.now() >= before.since + KNOWN_AFTER_MS
        const call = () => work(given.consentVersion)
        const answer = await (route.needsPass ? withPass(given.pass, call) : call())
        if (!isKnown || asked.get(eventId) !== before || revisionOf(eventId) !== revision)
          return { answer, consents: [given.consentVersion, undefined] }
        // Of all that guests do in an evening nothing is open without a pass, whatever the contracts say.
        if (before.pinHash && before.pinHash !== given.pinHash)
          throw new BrokenPromise(`${route.path} answered ${guest}, who has no pass for the PIN`)
        if (needConsent.has(route) && before.consentVersion && before.consentVersion !== given.consentVersion)
          throw new BrokenPromise(
            `${route.path} answered ${guest}, who has not agreed to what the event says`,
          )
        return { answer, consents: [before.consentVersion] }
      } catch (error) {
        if (!(error instanceof AppError && isAskedFor(error.code))) throw error
        const isShown = error.code === 'consent_required' || given.pass !== undefined
        if (isShown && given.revision !== undefined && given.revision === revisionOf(eventId))
          throw new BrokenPromise(
            `${route.path} refused ${guest}, who had shown what it asks for: ${error.code}`,
          )
        if (tries >= MAX_TRIES) throw error
        mustLearn = true
        await sleep(1_000)
      }
    }
  }

  return {
    askAsGuest,
    asGuest: async <T>(
      guest: string,
      eventId: string,
      route: RouteContract,
      work: () => Promise<T>,
    ): Promise<T> => (await askAsGuest(guest, eventId, route, work)).answer,

    /** Looks at what the uploads service knows of events. Call it in each step. */
    watch: (): void => {
      for (const { _id, pinHash, consentVersion } of databases.uploads.read('events')) {
        const known = asked.get(String(_id))
        if (!known || known.pinHash !== pinHash || known.consentVersion !== consentVersion)
          asked.set(String(_id), { pinHash, consentVersion, since: Date.now() })
      }
    },

    /** The upload with this id is recorded with one of these consents. */
    expectConsent: (uploadId: string, allowed: unknown[]): void => void consents.set(uploadId, allowed),

    checkConsents: (uploads: readonly Upload[]): void => {
      for (const { _id, consent } of uploads)
        if (consents.get(_id)?.includes(consent?.version) === false)
          throw new BrokenPromise(`${_id} is recorded with a consent that was not given: ${consent?.version}`)
    },
  }
}
export type AskedOfGuests = ReturnType<typeof createAsked>
