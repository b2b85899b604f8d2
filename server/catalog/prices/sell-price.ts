import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'

export type PriceRule = { kind: 'margin'; percent: number } | { kind: 'fixed'; priceMicros: bigint; currency: Currency }

export type ExchangeRates = { rubMicrosPerUsd: bigint }

/** Prices from one unit up round to hundredths; smaller ones, down to 0.0067, to ten-thousandths. */
const STEP_MICROS = 10_000n
const SMALL_STEP_MICROS = 100n

/** Rounded up, so that no conversion sells below cost. */
export function convert(micros: bigint, from: Currency, to: Currency, rates: ExchangeRates): bigint {
  if (from === to) return micros
  if (from === 'usd') return divideUp(micros * rates.rubMicrosPerUsd, MICROS_PER_UNIT)
  return divideUp(micros * MICROS_PER_UNIT, rates.rubMicrosPerUsd)
}

/** Never zero. */
export function sellPrice(
  cost: { micros: bigint; currency: Currency },
  rule: PriceRule,
  currency: Currency,
  rates: ExchangeRates,
): bigint {
  const raw =
    rule.kind === 'fixed'
      ? convert(rule.priceMicros, rule.currency, currency, rates)
      : divideUp(convert(cost.micros, cost.currency, currency, rates) * BigInt(100 + rule.percent), 100n)
  const step = raw >= MICROS_PER_UNIT ? STEP_MICROS : SMALL_STEP_MICROS
  const rounded = divideUp(raw, step) * step
  return rounded > 0n ? rounded : SMALL_STEP_MICROS
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
