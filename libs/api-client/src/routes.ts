import type * as contracts from '@confetti/contracts'
import type { RouteContract } from '@confetti/contracts'
import type { z } from 'zod'

// Types alone: the browser downloads no schemas.

type Contracts = {
  [
    Name in keyof typeof contracts as (typeof contracts)[Name] extends RouteContract ? Name : never
  ]: (typeof contracts)[Name]
}
type Contract = Extract<Contracts[keyof Contracts], RouteContract>

export type Method = Contract['method']
/** The paths that can be called with a method, as the API's documents write them. */
export type Path<M extends Method> = Extract<Contract, { method: M }>['path']

type Of<M, P> = Extract<Contract, { method: M; path: P }>

type BodyOf<C> = C extends { multipart: true }
  ? { body: FormData }
  : C extends { body: infer B extends z.ZodType }
    ? { body: z.input<B> }
    : { body?: undefined }
type ParamsOf<C> = C extends { params: infer S extends z.ZodType }
  ? { params: Record<keyof z.input<S>, string> }
  : { params?: undefined }
type QueryOf<C> = C extends { query: z.ZodType }
  ? { query?: Readonly<Record<string, string | number | undefined>> }
  : { query?: undefined }

/** What a call needs: `params`, `query`, `body` as its contract says. */
export type Input<M, P> = BodyOf<Of<M, P>> & ParamsOf<Of<M, P>> & QueryOf<Of<M, P>>

type AnswerOf<C> = C extends { responses: infer R }
  ? R[keyof R] extends infer S extends z.ZodType
    ? z.output<S>
    : never
  : never

/** What a call answers when it succeeds. */
export type Answer<M, P> = AnswerOf<Of<M, P>>
