import { isIPv6 } from 'node:net'

/**
 * What attempts from an address are counted under: an IPv4 address itself, and for IPv6 the /64 network, of which
 * any one customer has all addresses.
 */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  const all = tail === undefined ? groups : [...groups, ...zeros, ...rest]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
