import { type Currency, formatMoney } from '#contract/money.ts'

const NOTHING = /^-?0(?:\.0+)?$/

export function isNothing(amount: string): boolean {
  return NOTHING.test(amount)
}

export function signed(amount: string, currency: Currency, locale: string): string {
  const plus = amount.startsWith('-') || isNothing(amount) ? '' : '+'
  return plus + formatMoney(amount, currency, locale)
}
