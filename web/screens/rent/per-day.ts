import { MICROS_PER_UNIT, parseDecimal, toDecimal } from '#contract/money.ts'

const HOURS_IN_DAY = 24
const MICROS_PER_CENT = MICROS_PER_UNIT / 100n

/** Returns the price of a day, rounded to cents; null for a period of one day or less, whose price says it. */
export function pricePerDay(price: string, hours: number): string | null {
  const micros = parseDecimal(price)
  if (micros === null || hours <= HOURS_IN_DAY) return null
  const cents = Math.round((Number(micros / MICROS_PER_CENT) * HOURS_IN_DAY) / hours)
  return toDecimal(BigInt(cents) * MICROS_PER_CENT)
}
