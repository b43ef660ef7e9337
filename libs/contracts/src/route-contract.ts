import type { z } from 'zod'
import type { ErrorCode } from './error-codes.ts'

export interface IssueParams {
  code: ErrorCode
  limit?: number
}

/** The `params` of a zod `refine`: what the error response says about the field besides the message. */
export const issueParams = (code: ErrorCode, limit?: number): IssueParams & Record<string, unknown> => ({
  code,
  ...(limit !== undefined && { limit }),
})

export type Role = 'user' | 'admin'

/**
 * Who may call a route. `anyone` ignores tokens. `guest` is who has a genuine guest token (`X-Guest-Token`): others get 404
 * `guest_token_missing`. `guest-or-anyone` tells the handler which guest it is, if any. `guest-or-member` accepts guests, but answers 401 to a member whose token
 * has expired, so that the client refreshes it. `organiser` is a user who organises the event in the path, `manager` that
 * user or any admin; for everyone else the event does not exist. With `admin` the event in the path must exist, too.
 */
export type Access =
  'anyone' | 'guest' | 'guest-or-anyone' | 'guest-or-member' | 'member' | Role | 'organiser' | 'manager'

/** Whether a route looks at access tokens. */
export const takesAccessToken = ({ access }: Pick<RouteContract, 'access'>): boolean =>
  access !== 'anyone' && access !== 'guest' && access !== 'guest-or-anyone'

/** The contract of an HTTP route: inputs, responses and access. Path parameters are written as `{eventId}`. */
export interface RouteContract {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: `/${string}`
  summary: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  /** Fields that a JSON body has beyond these are an error, unless `allowsUnknownFields`. */
  body?: z.ZodType
  allowsUnknownFields?: true
  /**
   * Whether guests of an event with a PIN need a pass in `X-Event-Pass`: others get 404 `pin_required`. Admins and organisers
   * of the event do not; if their token has expired, the answer is 401.
   */
  needsPass?: true
  /** Whether responses carry a new guest token for guests who sent none. */
  issuesGuestToken?: true
  /** Whether `body` is multipart/form-data, which the handler reads as a stream. */
  multipart?: true
  /** The content type of the bytes that the handler writes itself as the response. A GET route that also answers HEAD. */
  download?: string
  /** Whether answers have an ETag, with which a client asks again and gets 304 if nothing has changed. */
  conditional?: true
  responses: Readonly<Record<number, z.ZodType>>
  /** Error statuses in addition to those that `access` and the inputs imply. */
  errors?: readonly number[]
  /** The code of the 404 that says that the record does not exist. Any other 404 comes from something in between. */
  notFoundCode?: ErrorCode
}

/** The path of a route with its parameters filled in and percent-encoded. */
export const buildPath = ({ path }: RouteContract, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

export const defineRoute = <const C extends RouteContract>(contract: C): C => contract
