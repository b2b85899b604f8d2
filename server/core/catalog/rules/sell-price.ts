import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'

export type PriceRule =
  | { kind: 'margin'; percent: number }
  | { kind: 'fixed'; priceMicros: bigint; currency: Currency; promotion?: Promotion }

/**
 * A promotion allows sales below cost. `saleLimitMicros` is the largest loss of one sale, in the currency of its rule.
 */
export type Promotion = { id: number; saleLimitMicros: bigint }

export type ExchangeRates = { rubMicrosPerUsd: bigint }

/**
 * `pleasant` rounds up to a multiple of five in the third digit, at most 5 % more. `exact` rounds to the price step.
 */
export const ROUNDINGS = ['exact', 'pleasant'] as const
export type Rounding = (typeof ROUNDINGS)[number]

export type PriceTerms = { rates: ExchangeRates; rounding: Record<Currency, Rounding> }

/** Prices of one unit or more are rounded to hundredths; smaller prices, down to 0.0067, to ten-thousandths. */
const STEP_MICROS = 10_000n
const SMALL_STEP_MICROS = 100n

/** Converts an amount and rounds up, so that no conversion leads to a sale below cost. */
export function convert(micros: bigint, from: Currency, to: Currency, rates: ExchangeRates): bigint {
  if (from === to) return micros
  if (from === 'usd') return divideUp(micros * rates.rubMicrosPerUsd, MICROS_PER_UNIT)
  return divideUp(micros * MICROS_PER_UNIT, rates.rubMicrosPerUsd)
}

/**
 * Returns a price, which is never zero. A fixed price in its own currency stays as staff wrote it, without rounding.
 */
export function sellPrice(
  cost: { micros: bigint; currency: Currency },
  rule: PriceRule,
  currency: Currency,
  { rates, rounding }: PriceTerms,
): bigint {
  const raw =
    rule.kind === 'fixed'
      ? convert(rule.priceMicros, rule.currency, currency, rates)
      : divideUp(convert(cost.micros, cost.currency, currency, rates) * BigInt(100 + rule.percent), 100n)
  const asWritten = rule.kind === 'fixed' && rule.currency === currency
  const step = rounding[currency] === 'pleasant' && !asWritten ? pleasantStep(raw) : stepOf(raw)
  const rounded = divideUp(raw, step) * step
  return rounded > 0n ? rounded : SMALL_STEP_MICROS
}

function stepOf(raw: bigint): bigint {
  return raw >= MICROS_PER_UNIT ? STEP_MICROS : SMALL_STEP_MICROS
}

/** Returns the step of pleasant rounding: 0.50 for 13.12, 5 for 134, never finer than the price step. */
function pleasantStep(raw: bigint): bigint {
  const figures = raw.toString().length
  const step = figures < 3 ? 0n : 5n * 10n ** BigInt(figures - 3)
  const least = stepOf(raw)
  return step > least ? step : least
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
