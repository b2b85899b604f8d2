import { type Currency, formatMoney } from '#contract/money.ts'

const NOTHING = /^-?0(?:\.0+)?$/

/** Returns true if the decimal string is zero, however it is written. */
export function isNothing(amount: string): boolean {
  return NOTHING.test(amount)
}

/** Formats an amount with a plus for income; zero has no sign. */
export function signed(amount: string, currency: Currency, locale: string): string {
  const plus = amount.startsWith('-') || isNothing(amount) ? '' : '+'
  return plus + formatMoney(amount, currency, locale)
}
