import { randomBytes } from 'node:crypto'
import { createTextSigner } from '@confetti/service-kit'
import type { Request } from 'express'
import ipaddr from 'ipaddr.js'

// The parser also takes numbers and short forms such as '127.1', which no proxy writes.
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * The IP address of the client: from `X-Forwarded-For` as far as the trusted proxies wrote it, or else the peer of
 * the connection. IPv4-mapped IPv6 addresses are returned as IPv4. 'unknown' once the connection is gone.
 */
export const clientAddress = ({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string => {
  const address = [ip, socket.remoteAddress].find((text) => text !== undefined && isAddress(text))
  return address === undefined ? 'unknown' : ipaddr.process(address).toString()
}

export const GUEST_TOKEN_HEADER = 'X-Guest-Token'

interface GuestTokens {
  issue: () => string
  /** Returns the id of the guest, or undefined if the token was not issued with one of these secrets. */
  verify: (token: string | string[] | undefined) => string | undefined
}

/** Tokens `id.signature` that distinguish guests who share an address. They grant no access. */
export const createGuestTokens = (secrets: readonly string[]): GuestTokens => {
  const { sign, isSignature } = createTextSigner(secrets)
  return {
    issue: () => {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${sign(id)}`
    },
    verify: (token) => {
      const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(String(token)) ?? []
      return id && signature && isSignature(signature, id) ? id : undefined
    },
  }
}

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
