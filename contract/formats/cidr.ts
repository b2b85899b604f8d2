/** Browser and server parse address ranges with this code. An IPv4-mapped IPv6 address counts as IPv4. */
export type Range = { bits: 32 | 128; base: bigint; prefix: number }

/** Parses an address or range: `1.2.3.4`, `1.2.3.0/24` or `2001:db8::/32`. Returns null for any other text. */
export function parseRange(text: string): Range | null {
  const [written = '', length, more] = text.trim().split('/')
  const address = parseAddress(written)
  if (address === null || more !== undefined) return null
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null
  const prefix = length === undefined ? address.bits : Number(length)
  return prefix > address.bits ? null : { bits: address.bits, base: cut(address.value, address.bits, prefix), prefix }
}

export function isWithin(range: Range, address: string): boolean {
  const found = parseAddress(address)
  return found !== null && found.bits === range.bits && cut(found.value, found.bits, range.prefix) === range.base
}

export function covers(outer: Range, inner: Range): boolean {
  return (
    outer.bits === inner.bits &&
    outer.prefix <= inner.prefix &&
    cut(inner.base, inner.bits, outer.prefix) === outer.base
  )
}

function cut(value: bigint, bits: number, prefix: number): bigint {
  const rest = BigInt(bits - prefix)
  return (value >> rest) << rest
}

type Address = { bits: 32 | 128; value: bigint }

const MAPPED = 0xffffn << 32n

function parseAddress(text: string): Address | null {
  const four = parseFour(text)
  if (four !== null) return { bits: 32, value: four }
  const six = parseSix(text)
  if (six === null) return null
  return six >> 32n === MAPPED >> 32n ? { bits: 32, value: six & 0xffffffffn } : { bits: 128, value: six }
}

function parseFour(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

const GROUPS = 8
const LONGEST_ADDRESS = 45

function parseSix(text: string): bigint | null {
  if (text.length > LONGEST_ADDRESS) return null
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':').flatMap(groupsOf)))
  const [head = [], tail] = halves
  if (halves.length > 2) return null
  const missing = GROUPS - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
}

/** The last 32 bits of an IPv6 address may be written as IPv4. */
function groupsOf(group: string): string[] {
  const four = parseFour(group)
  return four === null ? [group] : [(four >> 16n).toString(16), (four & 0xffffn).toString(16)]
}
