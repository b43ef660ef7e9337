import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteContract } from '@confetti/contracts'
import type { z } from 'zod'
import type { Principal } from '../token-verifier.ts'

/** Returns a header of a request, by its name in lower case; undefined if it is missing. Node joins several by commas. */
export const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Who sent the request that is being handled. */
interface Caller {
  /** Absent where the route is open to anyone. */
  principal?: Principal | undefined
  /** The IP address, as the gateway reports it. */
  address: string
  /** On routes that need the pass of an event with a PIN. */
  proof?: { pass: string | undefined; findPrincipal: () => Promise<Principal | undefined> } | undefined
}

const storage = new AsyncLocalStorage<Caller>()

/** The caller of the current request; undefined in work that no request asked for. */
export const currentCaller = (): Caller | undefined => storage.getStore()

export const withCaller = <T>(caller: Caller, work: () => T): T => storage.run(caller, work)

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

type PrincipalOf<A> = A extends 'anyone' | 'guest' | 'guest-or-anyone'
  ? undefined
  : A extends 'guest-or-member'
    ? Principal | undefined
    : Principal

type GuestIdOf<A> = A extends 'guest' ? string : A extends 'guest-or-anyone' ? string | undefined : undefined

/** The event in the path, where the access of the route is about it. */
type EventOf<C extends RouteContract, Event> = C['access'] extends 'organiser' | 'manager'
  ? Event
  : C extends { access: 'admin'; params: z.ZodType<{ eventId: string }> }
    ? Event
    : undefined

/** The argument of a handler: validated inputs, the authenticated caller, and the event that it may use. */
export interface RouteCall<C extends RouteContract, Event = undefined> {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  /** Undefined for a multipart route, which reads `request` itself. */
  body: C extends { multipart: true } ? undefined : Parsed<C['body']>
  principal: PrincipalOf<C['access']>
  /** The guest with a genuine token, as the gateway says. */
  guestId: GuestIdOf<C['access']>
  event: EventOf<C, Event>
  request: IncomingMessage
  /** Of a download, which the handler writes itself. */
  response: C extends { download: string } ? ServerResponse : undefined
  /** The tags of the languages that the client prefers, the best first; `*` if it names none. */
  languages: readonly string[]
  /** The IP address of the client, as the gateway reports it. */
  address: string
  /** The address at which the client reached the gateway, as the gateway reports it: `https://photos.example`. */
  baseUrl: string
}

/** An answer with an ETag. Without a body it says 304: the client has it. */
export interface Conditional<Body> {
  etag?: string
  body?: Body
}

type BodyOf<C extends RouteContract> = Parsed<C['responses'][keyof C['responses'] & number]>
/** The body of the answer that the contract promises, whose status is in the contract; nothing for a download. */
type Answer<C extends RouteContract> = C extends { download: string }
  ? undefined
  : C extends { conditional: true }
    ? Conditional<BodyOf<C>>
    : BodyOf<C>

type Handle<C extends RouteContract, Event> = (call: RouteCall<C, Event>) => Answer<C> | Promise<Answer<C>>

interface CheckedHandle<C extends RouteContract, Event> {
  check: (call: Pick<RouteCall<C>, 'params'>) => Promise<unknown>
  handle: Handle<C, Event>
}

/**
 * A row of a route table: what answers a route. A route with a body about a record that is no event has a check, too, and so
 * has one of guests about a record: it throws if the caller could not use the record anyway. Unknown fields of the body and a
 * missing guest token are only reported after it.
 */
type Handler<C extends RouteContract, Event> = C extends
  { params: z.ZodObject; body: z.ZodType } | { params: z.ZodObject; access: 'guest' }
  ? EventOf<C, Event> extends undefined
    ? CheckedHandle<C, Event>
    : Handle<C, Event>
  : Handle<C, Event>

/** A route table: one row for each contract. A missing or surplus row does not compile. */
export type Handlers<Routes extends Readonly<Record<string, RouteContract>>, Event = undefined> = {
  [Id in keyof Routes]: Handler<Routes[Id], Event>
}

type AnyHandle = (call: never) => unknown
/** A row of any route table. */
export type AnyHandler = AnyHandle | { check: (call: never) => Promise<unknown>; handle: AnyHandle }

/** Finds the events of routes whose access is about one. */
export interface EventAccess<Event> {
  /** Throws `notFound`, also for malformed ids. */
  get: (eventId: string) => Promise<Event>
  isOrganiser: (event: Event, userId: string) => boolean
}
