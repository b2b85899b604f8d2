import { CallError } from '#contract/calls/calls.ts'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { isOutcomeUnknown } from '#web/session/outcome-unknown.ts'

/** The outcomes of a purchase. The panel shows all of them except `failed`, which an alert shows. */
export type PurchaseOutcome =
  | { kind: 'price-changed'; price: string; before: string }
  | { kind: 'no-numbers' }
  | { kind: 'no-balance'; missing: string; currency: Currency }
  /** The server pauses sales until the ISO time `until`, because the service got too few codes in the country. */
  | { kind: 'paused'; until: string }
  | { kind: 'too-many-open'; limit: number }
  | { kind: 'spend-limit'; limit: string }
  | { kind: 'above-max'; lowest: string }
  /** No reply came, so the purchase may have happened. The next press repeats it under the same idempotency key. */
  | { kind: 'unknown' }
  /** No reply came and the device has no network, so the purchase may have happened, as in `unknown`. */
  | { kind: 'offline' }
  | { kind: 'failed' }

/** Returns the outcome of a failed purchase. Only `unknown` and `offline` may leave money held. */
export function outcomeOfFailure(
  error: unknown,
  shown: { price: string; balance: string | null; currency: Currency; online?: boolean },
): PurchaseOutcome {
  if (!(error instanceof CallError)) return { kind: 'failed' }
  if (isOutcomeUnknown(error))
    return { kind: shown.online !== false || error.code !== 'NO_REPLY' ? 'unknown' : 'offline' }
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
    default:
      return limitOf(error) ?? { kind: 'failed' }
  }
}

/** Returns the outcome for a refusal by a limit; null for other error codes or if the reply lacks the limit. */
function limitOf({ code, data }: CallError): PurchaseOutcome | null {
  if (code === 'PAIR_PAUSED' && typeof data.until === 'string') return { kind: 'paused', until: data.until }
  if (code === 'TOO_MANY_OPEN_NUMBERS' && typeof data.limit === 'number')
    return { kind: 'too-many-open', limit: data.limit }
  if (code === 'SPEND_LIMIT_REACHED' && typeof data.limit === 'string')
    return { kind: 'spend-limit', limit: data.limit }
  if (code === 'MAX_PRICE_TOO_LOW' && typeof data.lowest === 'string') return { kind: 'above-max', lowest: data.lowest }
  return null
}

/** Returns the amount that the balance lacks, or "0.00". An unknown balance counts as zero. */
export function missingAmount(price: string, balance: string | null): string {
  const priceMicros = parseDecimal(price) ?? 0n
  const balanceMicros = parseDecimal(balance ?? '0') ?? 0n
  return toDecimal(priceMicros > balanceMicros ? priceMicros - balanceMicros : 0n)
}

/** Returns the amount that the balance lacks; null if the balance is sufficient. */
export function shortOf(price: string, balance: string): string | null {
  const missing = missingAmount(price, balance)
  return parseDecimal(missing) === 0n ? null : missing
}
