import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteContract } from '@confetti/contracts'
import type { z } from 'zod'
import type { Principal } from '../token-verifier.ts'

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

type PrincipalOf<A> = A extends 'anyone'
  ? undefined
  : A extends 'guest-or-member'
    ? Principal | undefined
    : Principal

/** The argument of a route's handler: validated inputs and the authenticated caller. */
export interface RouteCall<C extends RouteContract> {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  /** Undefined for a multipart route, which reads `request` itself. */
  body: C extends { multipart: true } ? undefined : Parsed<C['body']>
  principal: PrincipalOf<C['access']>
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

/** A status and a body that the contract allows; nothing for a download. */
type Answer<C extends RouteContract> = C extends { download: string }
  ? undefined
  : {
      [Status in keyof C['responses'] & number]: { status: Status; body: Parsed<C['responses'][Status]> }
    }[keyof C['responses'] & number]

/**
 * Of a route with a body that is about a record: throws if the record does not exist or the caller may not use it. It is
 * called before unknown fields are reported, which others must not learn about; the handler checks access itself.
 */
type AccessCheck<C extends RouteContract> = C extends { params: z.ZodObject; body: z.ZodType }
  ? { checkAccess: (call: Pick<RouteCall<C>, 'params' | 'principal'>) => Promise<unknown> }
  : unknown

/** A contract and its handler. */
export type Route<C extends RouteContract> = C &
  AccessCheck<C> & { handle: (call: RouteCall<C>) => Promise<Answer<C>> }

/** A route of any contract. */
export type AnyRoute = RouteContract & {
  checkAccess?: (call: never) => Promise<unknown>
  handle: (call: never) => Promise<{ status: number; body: unknown } | undefined>
}
