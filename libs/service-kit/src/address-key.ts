import ipaddr from 'ipaddr.js'

/**
 * The key under which the requests of an IP address are counted: an IPv4 address itself (also where it comes as
 * IPv4-mapped IPv6), and for IPv6 the /64 network, because a single customer owns all addresses of one. Anything
 * else is returned as it is.
 */
export const addressKey = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
