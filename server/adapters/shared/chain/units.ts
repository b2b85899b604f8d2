import { MICROS_PER_UNIT } from '#contract/money.ts'
import type { Price } from '#server/house/rates/find-price.ts'

const AMOUNT_PATTERN = /^(\d{1,30})(?:\.(\d{1,36}))?$/

/** Reads "1.5" with 6 decimals as 1500000n. Returns null if the text is no amount or has too many decimals. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = AMOUNT_PATTERN.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Writes 1500000n with 6 decimals as "1.50", with at least two decimals if the asset has them. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const shown = fraction.padEnd(Math.min(2, decimals), '0')
  return shown === '' ? whole : `${whole}.${shown}`
}

/**
 * Returns the units that pay an amount, rounded up at `places` decimals. The default of `places` makes the rounding
 * worth less than a rouble.
 */
export function unitsFor(
  amountMicros: bigint,
  { rubMicros, usdRubMicros }: Price,
  { decimals, places }: { decimals: number; places?: number | undefined },
): bigint {
  const scale = 10n ** BigInt(decimals)
  const perUnit = usdRubMicros === null ? rubMicros : rubMicros * MICROS_PER_UNIT
  const asked = amountMicros * scale * (usdRubMicros ?? 1n)
  const shown = Math.min(decimals, places ?? standardPlaces(rubMicros))
  const step = 10n ** BigInt(decimals - shown)
  return roundUp(asked, perUnit * step) * step
}

/** Returns as many decimals as the price has digits before the point: 2 for a dollar, 6 for ether. */
function standardPlaces(rubMicros: bigint): number {
  return Math.max(2, (rubMicros / MICROS_PER_UNIT).toString().length)
}

function roundUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}
