import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public: IANA's special-purpose ranges, such as private, loopback and multicast. */
const CLOSED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Ranges within 2000::/3 that embed an IPv4 address or are examples. Addresses outside 2000::/3 are refused anyway. */
const CLOSED_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const closed = new BlockList()
for (const [net, prefix] of CLOSED_IPV4) closed.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of CLOSED_IPV6) closed.addSubnet(net, prefix, 'ipv6')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** Returns true if the text is a public IP address. An IPv6 address that maps or embeds an IPv4 address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  // An address with a zone (fe80::1%eth0) belongs to the local link.
  if (family === 0 || address.includes('%')) return false
  if (family === 4) return !closed.check(address, 'ipv4')
  return globalIpv6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}
