import { isIPv4, isIPv6 } from 'node:net'

const WITH_PORT_PATTERN = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/
/** The number of address groups in an IPv6 network (/64), which is what a household gets. */
const NETWORK_GROUPS = 4
const MAPPED_PREFIX = '::ffff:'

/** Returns the network by which rate limits count a client, who cannot change it: an IPv4 address or an IPv6 /64. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith(MAPPED_PREFIX) && isIPv4(address.slice(MAPPED_PREFIX.length))) {
    return address.slice(MAPPED_PREFIX.length)
  }
  if (isIPv6(address)) return networkOfIPv6(address)
  const [, inBrackets, plain] = WITH_PORT_PATTERN.exec(address) ?? []
  if (plain !== undefined) return plain
  return inBrackets !== undefined && isIPv6(inBrackets) ? networkOf(inBrackets) : address
}

function networkOfIPv6(address: string): string {
  const groups = groupsOf(address.split('%')[0] ?? '')
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const [high = 0, low = 0] = groups.slice(6)
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function groupsOf(address: string): number[] {
  const [left = '', right] = address.split('::')
  const before = numbersIn(left)
  const after = numbersIn(right ?? '')
  const zeros = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}

function numbersIn(half: string): number[] {
  return half
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)]
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
      return [a * 256 + b, c * 256 + d]
    })
}
