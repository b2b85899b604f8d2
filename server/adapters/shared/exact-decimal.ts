import { z } from 'zod'

/** The value `units` / 10^`places`. Vendors write satoshis, eighteen decimals, or PHP floats such as "1.0E-5". */
export type Exact = { units: bigint; places: number }

const PATTERN = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/
const MICRO_PLACES = 6
export const NOTHING: Exact = { units: 0n, places: 0 }

export function parseExact(text: string): Exact | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, sign, whole = '0', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const places = fraction.length - Number(exponent)
  const units = places < 0 ? digits * 10n ** BigInt(-places) : digits
  return { units: sign === '-' ? -units : units, places: Math.max(places, 0) }
}

export const exactSchema = z.string().transform((text, check) => {
  const exact = parseExact(text)
  if (exact !== null) return exact
  check.addIssue('is no decimal')
  return z.NEVER
})

export function plus(one: Exact, other: Exact): Exact {
  const places = Math.max(one.places, other.places)
  return { units: unitsAt(one, places) + unitsAt(other, places), places }
}

export function minus(one: Exact, other: Exact): Exact {
  return plus(one, { ...other, units: -other.units })
}

export function isLess(one: Exact, other: Exact): boolean {
  return minus(one, other).units < 0n
}

export function atMost(one: Exact, other: Exact): Exact {
  return isLess(other, one) ? other : one
}

/** Returns `micros` × `part` / `whole`, rounded down. `whole` must be above zero. */
export function shareOf(micros: bigint, part: Exact, whole: Exact): bigint {
  const places = Math.max(part.places, whole.places)
  return (micros * unitsAt(part, places)) / unitsAt(whole, places)
}

/** Returns `factor` × `part` / `whole`, rounded down at `places`. `whole` must be above zero. */
export function scaled(factor: Exact, { part, whole }: { part: Exact; whole: Exact }, places: number): Exact {
  const units = factor.units * unitsAt(part, Math.max(part.places, whole.places)) * 10n ** BigInt(places)
  return { units: units / (unitsAt(whole, Math.max(part.places, whole.places)) * 10n ** BigInt(factor.places)), places }
}

export function toMicros({ units, places }: Exact): bigint | null {
  if (places <= MICRO_PLACES) return unitsAt({ units, places }, MICRO_PLACES)
  const divisor = 10n ** BigInt(places - MICRO_PLACES)
  return units % divisor === 0n ? units / divisor : null
}

export function toText({ units, places }: Exact): string {
  const digits = units.toString().padStart(places + 1, '0')
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - places)
  return places === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** Returns the coins that `micros` buy at a rate (account's currency per coin), rounded up in the last decimal. */
export function boughtAt(micros: bigint, rate: Exact, places: number): Exact {
  const dividend = micros * 10n ** BigInt(rate.places + places)
  const divisor = rate.units * 10n ** BigInt(MICRO_PLACES)
  return { units: (dividend + divisor - 1n) / divisor, places }
}

function unitsAt({ units, places }: Exact, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - places)
}
