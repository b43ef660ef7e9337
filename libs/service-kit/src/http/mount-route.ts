import type { Access, RouteContract } from '@confetti/contracts'
import express, { type Express, type Request } from 'express'
import type { z } from 'zod'
import { forbidden, invalid, notFound, unauthenticated, unsupportedType } from '../errors.ts'
import type { Principal, TokenCheck } from '../token-check.ts'
import type { AnyRoute } from './route.ts'

const identify = async (
  access: Access,
  request: Request,
  checkToken: TokenCheck,
): Promise<Principal | undefined> => {
  if (access === 'anyone') return undefined
  const verdict = await checkToken(request.headers.authorization)
  if (verdict.state === 'expired')
    throw unauthenticated('Your session has expired.', { code: 'token_expired' })
  if (access === 'guest-or-member') return verdict.state === 'valid' ? verdict.principal : undefined
  if (verdict.state !== 'valid') throw unauthenticated('Please sign in.')
  if (access !== 'member' && verdict.principal.role !== access)
    throw forbidden('Your account may not do this.', { code: 'wrong_role' })
  return verdict.principal
}

// A few hundred bytes of it can ask for megabytes of memory, and our own clients send nothing of the kind.
const refuseEncoded = ({ headers }: Request): void => {
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedType('Please send the content as it is, neither compressed nor encoded.', {
      code: 'encoded_content',
    })
}

const parse = (type: z.ZodType, value: unknown) => {
  const result = type.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw invalid(details[0]?.message ?? 'The request is not valid.', { details })
}

// A list or nothing at all has no fields: what is missing is then said as for an empty form.
const fieldsOf = (body: unknown): unknown => (Array.isArray(body) ? {} : (body ?? {}))

const parseParams = (type: z.ZodType, value: unknown) => {
  const result = type.safeParse(value)
  if (result.success) return result.data
  throw notFound(result.error.issues[0]?.message ?? 'Not found.')
}

/** Adds one route to the app: who calls, what with, the handler, its answer. */
export const mountRoute = (
  app: Express,
  route: AnyRoute,
  {
    checkToken,
    maxJsonBytes,
    isDraining,
  }: { checkToken: TokenCheck; maxJsonBytes: number; isDraining: () => boolean },
): void => {
  const contract: RouteContract = route
  const json = contract.multipart ? undefined : contract.body
  const path = contract.path.replaceAll(/\{(\w+)\}/g, ':$1')
  // Before the body is read: a stranger's body is not worth reading.
  app[contract.method](path, async (request, response, next) => {
    response.locals.route = `${contract.method.toUpperCase()} ${contract.path}`
    response.locals.principal = await identify(contract.access, request, checkToken)
    if (contract.body) refuseEncoded(request)
    next()
  })
  if (json) app[contract.method](path, express.json({ limit: maxJsonBytes }))
  app[contract.method](path, async (request, response) => {
    const call = {
      params: contract.params && parseParams(contract.params, request.params),
      query: contract.query && parse(contract.query, request.query),
      body: json ? parse(json, fieldsOf(request.body)) : undefined,
      principal: response.locals.principal as Principal | undefined,
      request,
      address: request.ip ?? '',
    }
    const { status, body } = await route.handle(call as never)
    // A call that came on this connection later might meet the end of the service.
    if (isDraining() && request.complete) response.setHeader('Connection', 'close')
    response.status(status).json(body)
  })
}
