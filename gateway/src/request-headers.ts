import type { Request } from 'express'
import { clientAddress } from './client-address.ts'

const untrustedHeaders = [
  'baggage',
  'connection',
  'expect',
  'forwarded',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'upgrade',
  'via',
  'x-guest-id',
  'x-guest-token',
  'x-issued-guest-id',
  'x-real-ip',
]
const untrustedPrefixes = ['x-forwarded-', 'x-user-', 'proxy-']

// A client that could have these removed could make one request look like two.
const protectedHeaders = ['content-length', 'transfer-encoding', 'host', 'x-request-id']

const connectionHeaders = (connection: string | undefined): string[] =>
  (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !protectedHeaders.includes(name))

/**
 * Removes the hop-by-hop headers and those that only a trusted proxy may set, and sets `X-Forwarded-For`, `-Proto` and
 * `-Host`, `X-Guest-Id` for a guest with a genuine token, and `X-Issued-Guest-Id` for one who gets a token with the answer.
 */
export const sanitizeHeaders = (
  request: Request,
  { guestId, issuedGuestId }: { guestId: string | undefined; issuedGuestId: string | undefined },
): void => {
  const { headers } = request
  // Read before the headers are removed that they depend on.
  const address = clientAddress(request)
  const { protocol, host } = request

  const removedHeaders = [...untrustedHeaders, ...connectionHeaders(headers.connection)]
  const isKept = (name: string): boolean =>
    !removedHeaders.includes(name) && !untrustedPrefixes.some((prefix) => name.startsWith(prefix))

  request.headers = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name))),
    'x-forwarded-for': address,
    'x-forwarded-proto': protocol,
    ...(host && { 'x-forwarded-host': host }),
    ...(guestId && { 'x-guest-id': guestId }),
    ...(issuedGuestId && { 'x-issued-guest-id': issuedGuestId }),
  }
}
