import {
  EVENT_PASS_HEADER,
  GUEST_KEY_HEADER,
  takesAccessToken,
  type RouteContract,
} from '@confetti/contracts'
import express, { type IRouter, type Request, type RequestHandler } from 'express'
import type { z } from 'zod'
import { describeIssue } from './error-response.ts'
import { readHeader, withCaller, type AnyHandler, type Conditional, type EventAccess } from './route.ts'
import {
  eventNotFound,
  forbidden,
  invalid,
  notFound,
  tooLarge,
  unauthenticated,
  unsupportedType,
  type AppError,
} from '../errors.ts'
import type { Principal, VerifyToken } from '../token-verifier.ts'

// Bounds the size of the response.
const MAX_NAMED = 20
const MAX_NAME_CHARACTERS = 100

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of the fields of `value` that `type` does not have, in nested objects, too. */
const findUnknownFields = (type: z.ZodType, value: unknown, path = ''): string[] => {
  const { def } = (type as unknown as z.core.$ZodTypes)._zod
  const find = (inner: z.core.$ZodType, field: unknown, name: string | number): string[] =>
    findUnknownFields(inner as z.ZodType, field, path ? `${path}.${name}` : String(name))

  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return findUnknownFields(def.innerType as z.ZodType, value, path)
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((item, index) => find(def.element, item, index))
  if (!isObject(value)) return []
  if (def.type === 'union') {
    // The unknown fields of the option that has the fewest.
    const ofOptions = def.options
      .filter((option) => (option as z.core.$ZodTypes)._zod.def.type === 'object')
      .map((option) => findUnknownFields(option as z.ZodType, value, path))
    return ofOptions.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  const fields = Object.entries(value)
  if (def.type === 'record') return fields.flatMap(([name, field]) => find(def.valueType, field, name))
  if (def.type !== 'object') return []
  return fields.flatMap(([name, field]) => {
    const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    return known ? find(known, field, name) : [path ? `${path}.${name}` : name]
  })
}

/** The error for a body with these fields, of which there is at least one. */
const unknownFields = (fields: readonly string[]): AppError => {
  const names = fields.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_CHARACTERS))
  return invalid(`The request has fields that do not exist: ${names.join(', ')}.`, {
    code: 'unknown_field',
    details: names.map((field) => ({ field, message: 'This field does not exist.', code: 'unknown_field' })),
  })
}

/**
 * Parses a JSON body. Rejects it as soon as it exceeds `maxBytes`; express.json alone reads such a body to its end before
 * it rejects it.
 */
const readJson = (maxBytes: number): RequestHandler => {
  const parse = express.json({ limit: maxBytes })
  return (request, response, next) => {
    let bytes = 0
    let isSettled = false
    const settle = (error?: unknown): void => {
      if (isSettled) return
      isSettled = true
      request.off('data', count)
      next(error)
    }
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) settle(tooLarge('The request is too large.'))
    }
    request.on('data', count)
    parse(request, response, settle)
  }
}

const sessionExpired = (): AppError => unauthenticated('Your session has expired.', { code: 'token_expired' })

const identify = async (
  contract: RouteContract,
  request: Request,
  verifyToken: VerifyToken,
): Promise<Principal | undefined> => {
  if (!takesAccessToken(contract)) return undefined
  const { access } = contract
  const verification = await verifyToken(request.headers.authorization)
  if (verification.state === 'expired') throw sessionExpired()
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
  const event = await events.get(eventId)
  const isAllowed = principal && (principal.role === 'admin' || events.isOrganiser(event, principal.userId))
  if (!isAllowed) throw eventNotFound()
  return event
}

/** The guest with the token that the gateway has verified, or with the key of an own link. */
const findGuest = async (
  request: Request,
  { params, query, body }: Partial<Record<'params' | 'query' | 'body', unknown>>,
  findGuestByKey: FindGuestByKey | undefined,
): Promise<string | undefined> => {
  const key = findGuestByKey && readHeader(request, GUEST_KEY_HEADER.toLowerCase())
  if (!findGuestByKey || key === undefined) return readHeader(request, 'x-guest-id')
  const { eventId, uploadId } = { ...(body as object), ...(query as object), ...(params as object) } as {
    eventId?: string
    uploadId?: string
  }
  return findGuestByKey(key, { eventId, uploadId })
}

const guestTokenMissing = (): AppError =>
  notFound('Please open the page of the event again, and then try once more.', {
    code: 'guest_token_missing',
  })

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
 * Finds the guest whose own link has a key, for a call about an event or an upload; undefined if there is none, or the link is
 * of another event.
 */
export type FindGuestByKey = (
  key: string,
  about: { eventId?: string | undefined; uploadId?: string | undefined },
) => Promise<string | undefined>

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
    findGuestByKey,
    maxJsonBytes,
    isDraining,
  }: {
    verifyToken: VerifyToken
    events?: EventAccess<Event> | undefined
    findGuestByKey?: FindGuestByKey | undefined
    maxJsonBytes: number
    isDraining: () => boolean
  },
): void => {
  const { check, handle } = typeof handler === 'function' ? { check: undefined, handle: handler } : handler
  const eventAccess = isAboutEvent(contract) ? events : undefined
  if (isAboutEvent(contract) && !eventAccess)
    throw new Error(`${contract.path} is about an event, and the service finds none`)
  const isForGuests = contract.access === 'guest' || contract.access === 'guest-or-anyone'
  const json = contract.multipart ? undefined : contract.body
  const [status = 200] = Object.keys(contract.responses).map(Number)
  const path = contract.path.replaceAll(/\{(\w+)\}/g, ':$1')
  // Before the body is read: the body of an unauthorised request is not read.
  app[contract.method](path, async (request, response, next) => {
    response.locals.route = `${contract.method.toUpperCase()} ${contract.path}`
    response.locals.principal = await identify(contract, request, verifyToken)
    if (contract.body) rejectContentEncoding(request)
    next()
  })
  if (json) app[contract.method](path, readJson(maxJsonBytes))
  app[contract.method](path, async (request, response) => {
    const principal = response.locals.principal as Principal | undefined
    const address = request.ip ?? ''
    const proof = contract.needsPass && {
      pass: readHeader(request, EVENT_PASS_HEADER.toLowerCase()),
      findPrincipal: async () => {
        if (takesAccessToken(contract)) return principal
        const verification = await verifyToken(request.headers.authorization)
        if (verification.state === 'expired') throw sessionExpired()
        return verification.state === 'valid' ? verification.principal : undefined
      },
    }
    const asCaller = <T>(run: () => T): T => withCaller({ principal, address, proof }, run)
    const params = contract.params && parseParams(contract.params, request.params)
    const findEvent = async () =>
      eventAccess && findEventFor(eventAccess, String((params as { eventId?: unknown }).eventId), principal)
    const unknown = json && !contract.allowsUnknownFields ? findUnknownFields(json, request.body) : []
    if (unknown.length > 0) {
      await findEvent()
      await asCaller(async () => check?.({ params } as never))
      throw unknownFields(unknown)
    }
    const call = {
      params,
      query: contract.query && parse(contract.query, request.query),
      body: json ? parseBody(json, request) : undefined,
      principal,
      guestId: undefined as string | undefined,
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
    // The event of a form is not known yet, and a key is for one event alone.
    const acceptsKeys = contract.multipart ? undefined : findGuestByKey
    if (isForGuests) call.guestId = await findGuest(request, call, acceptsKeys)
    if (contract.access === 'guest' && call.guestId === undefined) {
      await asCaller(async () => check?.({ params } as never))
      throw guestTokenMissing()
    }
    const body: unknown = await asCaller(() => handle(call as never))
    if (contract.download) return
    // A later request on this connection could arrive when the service has stopped.
    if (isDraining() && request.complete) response.setHeader('Connection', 'close')
    if (!contract.conditional) {
      response.status(status).json(body)
      return
    }
    const { etag, body: current } = body as Conditional<unknown>
    if (etag !== undefined) response.setHeader('ETag', etag)
    if (current === undefined) response.status(304).end()
    else response.status(status).json(current)
  })
}
