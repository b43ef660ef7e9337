import type { Access, RouteContract } from '@confetti/contracts'
import type { IRouter, Request } from 'express'
import type { z } from 'zod'
import { withCaller } from '../caller.ts'
import { eventNotFound, forbidden, invalid, notFound, unauthenticated, unsupportedType } from '../errors.ts'
import type { Principal, VerifyToken } from '../token-verifier.ts'
import { describeIssue } from './describe-issue.ts'
import { readJson } from './read-json.ts'
import type { AnyHandler, EventAccess } from './route.ts'
import { findUnknownFields, unknownFields } from './unknown-fields.ts'

const identify = async (
  access: Access,
  request: Request,
  verifyToken: VerifyToken,
): Promise<Principal | undefined> => {
  if (access === 'anyone') return undefined
  const verification = await verifyToken(request.headers.authorization)
  if (verification.state === 'expired')
    throw unauthenticated('Your session has expired.', { code: 'token_expired' })
  if (access === 'guest-or-member') return verification.state === 'valid' ? verification.principal : undefined
  if (verification.state !== 'valid') throw unauthenticated('Please sign in.')
  const role = access === 'organiser' ? 'user' : access
  if (role !== 'member' && role !== 'manager' && verification.principal.role !== role)
    throw forbidden('Your account may not do this.', { code: 'wrong_role' })
  return verification.principal
}

const isAboutEvent = ({ access, params }: RouteContract): boolean =>
  access === 'organiser' || access === 'manager' || (access === 'admin' && 'eventId' in (params?.shape ?? {}))

/** Finds the event of a route. Throws `notFound` if the caller may not use it. */
const findEventFor = async <Event>(
  events: EventAccess<Event>,
  eventId: string,
  principal: Principal | undefined,
): Promise<Event> => {
  const event = await events.find(eventId)
  const isAllowed = principal && (principal.role === 'admin' || events.isOrganiser(event, principal.userId))
  if (!isAllowed) throw eventNotFound()
  return event
}

// A few hundred compressed bytes can expand to megabytes, and no client of ours compresses its requests.
const rejectContentEncoding = ({ headers }: Request): void => {
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedType('Please send the content as it is, neither compressed nor encoded.', {
      code: 'encoded_content',
    })
}

const parse = (type: z.ZodType, value: unknown) => {
  const result = type.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.map((issue) => describeIssue(issue, value))
  throw invalid(details[0]?.message ?? 'The request is not valid.', { details })
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

// An array, an absent body or one of another type is validated as an empty object, so that the error names the missing
// fields.
const parseBody = (type: z.ZodType, request: Request) => {
  const body: unknown = request.body
  const parsed = parse(type, Array.isArray(body) ? {} : (body ?? {}))
  if (Array.isArray(body) || (body === undefined && hasBody(request)))
    throw invalid('The request is not valid.')
  return parsed
}

const parseParams = (type: z.ZodType, value: unknown) => {
  const result = type.safeParse(value)
  if (result.success) return result.data
  throw notFound(result.error.issues[0]?.message ?? 'Not found.')
}

/**
 * Mounts a route: authenticates the caller, validates the inputs, finds the event that the route is about, calls the
 * handler and sends its answer, unless the handler has done so itself.
 */
export const mountRoute = <Event>(
  app: IRouter,
  contract: RouteContract,
  handler: AnyHandler,
  {
    verifyToken,
    events,
    maxJsonBytes,
    isDraining,
  }: {
    verifyToken: VerifyToken
    events?: EventAccess<Event> | undefined
    maxJsonBytes: number
    isDraining: () => boolean
  },
): void => {
  const { check, handle } = typeof handler === 'function' ? { check: undefined, handle: handler } : handler
  const eventAccess = isAboutEvent(contract) ? events : undefined
  if (isAboutEvent(contract) && !eventAccess)
    throw new Error(`${contract.path} is about an event, and the service finds none`)
  const json = contract.multipart ? undefined : contract.body
  const [status = 200] = Object.keys(contract.responses).map(Number)
  const path = contract.path.replaceAll(/\{(\w+)\}/g, ':$1')
  // Before the body is read: the body of an unauthorised request is not read.
  app[contract.method](path, async (request, response, next) => {
    response.locals.route = `${contract.method.toUpperCase()} ${contract.path}`
    response.locals.principal = await identify(contract.access, request, verifyToken)
    if (contract.body) rejectContentEncoding(request)
    next()
  })
  if (json) app[contract.method](path, readJson(maxJsonBytes))
  app[contract.method](path, async (request, response) => {
    const principal = response.locals.principal as Principal | undefined
    const address = request.ip ?? ''
    const params = contract.params && parseParams(contract.params, request.params)
    const findEvent = async () =>
      eventAccess && findEventFor(eventAccess, String((params as { eventId?: unknown }).eventId), principal)
    const unknown = json && !contract.allowsUnknownFields ? findUnknownFields(json, request.body) : []
    if (unknown.length > 0) {
      await findEvent()
      await check?.({ params } as never)
      throw unknownFields(unknown)
    }
    const call = {
      params,
      query: contract.query && parse(contract.query, request.query),
      body: json ? parseBody(json, request) : undefined,
      principal,
      event: await findEvent(),
      request,
      response: contract.download ? response : undefined,
      // Few routes need them.
      get languages() {
        return request.acceptsLanguages()
      },
      address,
      baseUrl: `${request.protocol}://${request.host}`,
    }
    const body: unknown = await withCaller({ principal, address }, () => handle(call as never))
    if (contract.download) return
    // A later request on this connection could arrive when the service has stopped.
    if (isDraining() && request.complete) response.setHeader('Connection', 'close')
    response.status(status).json(body)
  })
}
