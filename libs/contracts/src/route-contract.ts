import type { z } from 'zod'

export type Role = 'user' | 'admin'

/**
 * Who may call a route. `guest-or-member` never refuses a guest, but tells a member whose token has expired
 * (401, so that the page refreshes it); `anyone` does not look at tokens at all.
 */
export type Access = 'anyone' | 'guest-or-member' | 'member' | Role

/** One HTTP call: what goes in, what comes out, who may make it. Paths name parameters as `{eventId}`. */
export interface RouteContract {
  method: 'get' | 'post' | 'delete'
  path: `/${string}`
  summary: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Says that `body` comes as multipart/form-data, which the service reads as a stream by itself. */
  multipart?: true
  responses: Readonly<Record<number, z.ZodType>>
  /** The statuses, besides those that `access` and the inputs imply, that an error may have. */
  errors?: readonly number[]
}

/** The path of a call with its parameters filled in, each percent-encoded. */
export const pathOf = ({ path }: RouteContract, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

export const defineRoute = <const C extends RouteContract>(contract: C): C => contract
