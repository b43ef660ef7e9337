import type * as contracts from '@confetti/contracts'
import type { RouteContract } from '@confetti/contracts'
import type { z } from 'zod'

// Only types are imported from the contracts, so that the browser downloads no schemas.

type Contracts = {
  [
    Name in keyof typeof contracts as (typeof contracts)[Name] extends RouteContract ? Name : never
  ]: (typeof contracts)[Name]
}
type Contract = Extract<Contracts[keyof Contracts], RouteContract>

export type Method = Contract['method']
/** The paths that a method can be called on, as in the API documentation. */
export type Path<M extends Method> = Extract<Contract, { method: M }>['path']

type ContractOf<M, P> = Extract<Contract, { method: M; path: P }>

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

// Of one contract at a time: the product of the three for all contracts is too large for TypeScript.
type InputOf<C> = C extends RouteContract ? BodyOf<C> & ParamsOf<C> & QueryOf<C> : never

/** The `params`, `query` and `body` that a call takes. */
export type RequestInput<M, P> = InputOf<ContractOf<M, P>>

type ResponseBodyOf<C> = C extends { responses: infer R }
  ? R[keyof R] extends infer S extends z.ZodType
    ? z.output<S>
    : never
  : never

/** The body of a successful response. */
export type ResponseBody<M, P> = ResponseBodyOf<ContractOf<M, P>>
