import { CallError } from '#contract/calls.ts'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'

/** How a press of "buy" ended, as far as the panel tells it itself. `failed`: the alert says it. */
export type PurchaseOutcome =
  | { kind: 'price-changed'; price: string; before: string }
  | { kind: 'no-numbers' }
  | { kind: 'no-balance'; missing: string; currency: Currency }
  /** No answer came: the purchase may have happened. Pressing again repeats it under the same key. */
  | { kind: 'unknown' }
  | { kind: 'failed' }

/** What a failed purchase means. After each of them but `unknown` nothing is held. */
export function outcomeOfFailure(
  error: unknown,
  shown: { price: string; balance: string | null; currency: Currency },
): PurchaseOutcome {
  if (!(error instanceof CallError)) return { kind: 'failed' }
  switch (error.code) {
    case 'PRICE_CHANGED':
      if (typeof error.data.price !== 'string') return { kind: 'failed' }
      return { kind: 'price-changed', price: error.data.price, before: shown.price }
    case 'NO_NUMBERS':
      return { kind: 'no-numbers' }
    case 'NO_BALANCE': {
      const told = typeof error.data.missing === 'string' ? error.data.missing : null
      return {
        kind: 'no-balance',
        missing: told ?? missingAmount(shown.price, shown.balance),
        currency: shown.currency,
      }
    }
    // The first press is still being served; asking again under its key brings its answer.
    case 'NO_REPLY':
    case 'IN_PROGRESS':
      return { kind: 'unknown' }
    default:
      return error.httpStatus >= 500 ? { kind: 'unknown' } : { kind: 'failed' }
  }
}

/** Whether the balance is known not to reach; then the panel says so before anything is pressed. */
export function missingAmount(price: string, balance: string | null): string {
  const priceMicros = parseDecimal(price) ?? 0n
  const balanceMicros = parseDecimal(balance ?? '0') ?? 0n
  return toDecimal(priceMicros > balanceMicros ? priceMicros - balanceMicros : 0n)
}
