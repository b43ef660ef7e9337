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
