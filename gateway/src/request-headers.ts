import type { Request } from 'express'
import { clientAddress } from './client-address.ts'

const untrusted = [
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
  'x-guest-token',
  'x-real-ip',
]
const untrustedPrefixes = ['x-forwarded-', 'x-user-', 'proxy-']

// A caller who could have these taken away could make one request look like two.
const framing = ['content-length', 'transfer-encoding', 'host', 'x-request-id']

const namedByConnection = (connection: string | undefined): string[] =>
  (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !framing.includes(name))

/** Takes away what only a proxy of ours may say, and what concerns this connection alone; says it anew. */
export const cleanHeaders = (request: Request): void => {
  const { headers } = request
  // First, as they are read from the headers that go.
  const address = clientAddress(request)
  const { protocol, host } = request

  const unwanted = [...untrusted, ...namedByConnection(headers.connection)]
  const isWanted = (name: string): boolean =>
    !unwanted.includes(name) && !untrustedPrefixes.some((prefix) => name.startsWith(prefix))

  request.headers = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name))),
    'x-forwarded-for': address,
    'x-forwarded-proto': protocol,
    ...(host && { 'x-forwarded-host': host }),
  }
}
