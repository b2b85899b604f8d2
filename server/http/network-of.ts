import { isIPv6 } from 'node:net'

const MAPPED_IPV4_PATTERN = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** Of eight groups: a household has the rest to itself. */
const NETWORK_GROUPS = 4

/** What one guesser cannot change at will: an IPv4 address, or the network (/64) of an IPv6 one. */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4_PATTERN.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [left = '', right] = address.split('%')[0]?.split('::') ?? []
  const groups = left.split(':').filter((group) => group !== '')
  // `::` stands for as many zero groups as are missing; only those within the network matter.
  const after = right === undefined ? [] : right.split(':').filter((group) => group !== '')
  while (right !== undefined && groups.length + after.length < 8) groups.push('0')
  const all = [...groups, ...after].map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
  return `${all.slice(0, NETWORK_GROUPS).join(':')}::/64`
}
