import { parseDecimal } from '#contract/money.ts'
import { isOfCents } from '#web/money/amount-text.ts'

/** The key of the words, and the amount that they name. */
export type Wrong =
  | ({ key: 'badAmount' | 'decimals' } & { limit?: never })
  | { key: 'atLeast' | 'atMost'; limit: string }

const micros = (decimal: string) => parseDecimal(decimal) ?? 0n

/** As the server would refuse it, in the words of the page. `amount`: a wire decimal, null for what is none. */
export function wrongAmount(amount: string | null, limits: { available: string; least: string }): Wrong | null {
  if (amount === null) return { key: 'badAmount' }
  if (!isOfCents(amount)) return { key: 'decimals' }
  if (micros(amount) < micros(limits.least)) return { key: 'atLeast', limit: limits.least }
  return micros(amount) > micros(limits.available) ? { key: 'atMost', limit: limits.available } : null
}
