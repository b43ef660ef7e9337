import { isIP } from 'node:net'
import type { Request } from 'express'

/** The address that the call came from, as far as our own proxies vouch for it; IPv4 in its short form. */
export const clientAddress = (request: Request): string => {
  const claimed = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(claimed) ? claimed : (request.socket.remoteAddress ?? 'unknown')
}

const groupsOf = (part: string | undefined): string[] => (part ? part.split(':') : [])

/** What limits count by: an IPv4 address, or the /64 network that one IPv6 subscriber has to himself. */
export const addressKey = (address: string): string => {
  if (isIP(address) !== 6) return address
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [head, tail] = hostname.slice(1, -1).split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}
