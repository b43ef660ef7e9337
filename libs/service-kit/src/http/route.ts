import type { IncomingMessage } from 'node:http'
import type { RouteContract } from '@confetti/contracts'
import type { z } from 'zod'
import type { Principal } from '../token-check.ts'

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

type PrincipalOf<A> = A extends 'anyone'
  ? undefined
  : A extends 'guest-or-member'
    ? Principal | undefined
    : Principal

/** What a route's handler gets: inputs that satisfied the contract, and who calls. */
export interface Call<C extends RouteContract> {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  /** Undefined for a multipart route, which reads `request` by itself. */
  body: C extends { multipart: true } ? undefined : Parsed<C['body']>
  principal: PrincipalOf<C['access']>
  request: IncomingMessage
  /** The caller's IP address, as the gateway says it. */
  address: string
}

/** An answer whose status and body the contract knows. */
type Answer<C extends RouteContract> = {
  [Status in keyof C['responses'] & number]: { status: Status; body: Parsed<C['responses'][Status]> }
}[keyof C['responses'] & number]

/** A contract and what happens when it is called. */
export type Route<C extends RouteContract> = C & { handle: (call: Call<C>) => Promise<Answer<C>> }

/** Any route, for lists of them. */
export type AnyRoute = RouteContract & {
  handle: (call: never) => Promise<{ status: number; body: unknown }>
}
