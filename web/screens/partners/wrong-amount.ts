import { parseDecimal } from '#contract/money.ts'
import { isOfCents } from '#web/money/amount-text.ts'

export type Wrong =
  | ({ key: 'badAmount' | 'decimals' } & { limit?: never })
  | { key: 'atLeast' | 'atMost'; limit: string }

const micros = (decimal: string) => parseDecimal(decimal) ?? 0n

/** Returns why the server would refuse a withdrawal, or null. `amount` is a decimal; null if malformed. */
export function wrongAmount(amount: string | null, limits: { available: string; least: string }): Wrong | null {
  if (amount === null) return { key: 'badAmount' }
  if (!isOfCents(amount)) return { key: 'decimals' }
  if (micros(amount) < micros(limits.least)) return { key: 'atLeast', limit: limits.least }
  return micros(amount) > micros(limits.available) ? { key: 'atMost', limit: limits.available } : null
}
