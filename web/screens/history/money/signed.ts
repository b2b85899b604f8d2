import { type Currency, formatMoney } from '#contract/money.ts'

const NOTHING = /^-?0(?:\.0+)?$/

/** A wire decimal of zero, however it is written. */
export function isNothing(amount: string): boolean {
  return NOTHING.test(amount)
}

/** With a plus before what came in; nothing has no sign. */
export function signed(amount: string, currency: Currency, locale: string): string {
  const plus = amount.startsWith('-') || isNothing(amount) ? '' : '+'
  return plus + formatMoney(amount, currency, locale)
}
