import { readSeedTable } from './read-seed-table.ts'

type NumberFormat = {
  dial: string
  /** The number of digits without the country code. */
  length: number
  prefixes: string[]
  freeDigits: number
  room: bigint
  capacity: bigint
  stride: bigint
  offset: bigint
}

/**
 * The formula `serial × stride + offset (mod capacity)` keeps phone numbers sold in a row from looking consecutive. A
 * stride by the golden ratio keeps neighbours far apart; a less precise one would let the last digits count up.
 */
const fractionUnits = 10n ** 18n
const strideFraction = 618_033_988_749_894_848n
const offsetFraction = 271_828_182_845_904_523n

const formats = readNumberFormats()

/**
 * Returns a phone number in digits, with country code. Numbers repeat after `phoneCapacity` serials, but never in two
 * countries.
 */
export function makePhone(countryId: number, serial: bigint): string {
  if (serial < 0n) throw new RangeError('serial must not be negative')
  const { dial, prefixes, freeDigits, room, capacity, stride, offset } = formatOf(countryId)
  const place = (serial * stride + offset) % capacity
  return `${dial}${prefixes[Number(place / room)]}${(place % room).toString().padStart(freeDigits, '0')}`
}

export type PhoneOf = (countryId: number, serial: bigint) => string

/** The prefix of play numbers. No operator assigns numbers with three zeros, so they belong to nobody. */
const PLAY_PREFIX = '000'
/** The minimum number of free digits of a play number; fewer would repeat soon. */
const LEAST_PLAY_DIGITS = 7

export function makePlayPhone(countryId: number, serial: bigint): string {
  if (serial < 0n) throw new RangeError('serial must not be negative')
  const { dial, length } = formatOf(countryId)
  const digits = Math.max(LEAST_PLAY_DIGITS, length - PLAY_PREFIX.length)
  return `${dial}${PLAY_PREFIX}${(serial % 10n ** BigInt(digits)).toString().padStart(digits, '0')}`
}

export function phoneCapacity(countryId: number): bigint {
  return formatOf(countryId).capacity
}

function formatOf(countryId: number): NumberFormat {
  const format = formats.get(countryId)
  if (format === undefined) throw new RangeError(`no number format for country ${countryId}`)
  return format
}

function readNumberFormats(): Map<number, NumberFormat> {
  const rows = readSeedTable('number-formats.tsv', ['country_id', 'dial', 'prefixes', 'length'])
  return new Map(
    rows.map((row) => {
      const prefixes = row.prefixes.split(',').flatMap(expandPrefix)
      const prefixLength = prefixes[0]?.length ?? 0
      // All prefixes of a country have one length, because a division finds the prefix at a position.
      if (prefixes.some((prefix) => prefix.length !== prefixLength)) {
        throw new Error(`number-formats.tsv: prefixes of different lengths for country ${row.country_id}`)
      }
      const freeDigits = Number(row.length) - prefixLength
      const room = 10n ** BigInt(freeDigits)
      const capacity = BigInt(prefixes.length) * room
      const offset = (capacity * offsetFraction) / fractionUnits
      return [
        Number(row.country_id),
        {
          dial: row.dial,
          length: Number(row.length),
          prefixes,
          freeDigits,
          room,
          capacity,
          stride: strideOf(capacity),
          offset,
        },
      ]
    }),
  )
}

/** Expands `910-912` to 910, 911, 912, and `201[2-9]` to 2012 … 2019. */
function expandPrefix(text: string): string[] {
  const match = /^(\d+)(?:-(\d+))?(?:\[(\d)-(\d)\])?$/.exec(text)
  const first = match?.[1]
  if (match === null || first === undefined) throw new Error(`number-formats.tsv: prefix ${text} is not understood`)
  const bases = digitRange(first, match[2] ?? first)
  const [from, to] = [match[3], match[4]]
  if (from === undefined || to === undefined) return bases
  return bases.flatMap((base) => digitRange(from, to).map((digit) => base + digit))
}

function digitRange(from: string, to: string): string[] {
  const count = Number(to) - Number(from) + 1
  return Array.from({ length: count }, (_, step) => String(Number(from) + step).padStart(from.length, '0'))
}

/** Returns a stride that is coprime to the capacity, because only such a stride visits every number. */
function strideOf(capacity: bigint): bigint {
  let stride = (capacity * strideFraction) / fractionUnits
  while (greatestCommonDivisor(stride, capacity) !== 1n) stride += 1n
  return stride
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}
