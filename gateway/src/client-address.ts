import { isIP } from 'node:net'
import type { Request } from 'express'

/** The address that the call came from, as far as our own proxies vouch for it; IPv4 in its short form. */
export const clientAddress = (request: Request): string => {
  const claimed = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(claimed) ? claimed : (request.socket.remoteAddress ?? 'unknown')
}
