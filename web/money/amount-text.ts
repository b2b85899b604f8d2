import { type Currency, formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'

/** "1,240" and "100,000.50": what the English pages write themselves. */
const ENGLISH_GROUPS = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** Typed amount to wire decimal: "1 240,5" is "1240.50", in English "1,240" is "1240.00". null unless it is above zero. */
export function readAmount(text: string, locale: string): string | null {
  const typed = text.replace(/[\s\u00a0\u202f]/g, '')
  const isGrouped = !locale.startsWith('ru') && ENGLISH_GROUPS.test(typed)
  const micros = parseDecimal(isGrouped ? typed.replaceAll(',', '') : typed.replace(',', '.'))
  return micros === null || micros <= 0n ? null : toDecimal(micros)
}

/** Wire decimal to field text: "12.50" is "12,50" in Russian. */
export function writeAmount(decimal: string, locale: string): string {
  return locale.startsWith('ru') ? decimal.replace('.', ',') : decimal
}

/** Without the ".00" of a whole amount. */
export function shortMoney(decimal: string, currency: Currency, locale: string): string {
  return formatMoney(decimal, currency, locale).replace(/[.,]00(?=\D|$)/, '')
}

/** For the field: "500.00" is "500". */
export function shortAmount(decimal: string): string {
  return decimal.replace(/\.00$/, '')
}

/** Of a wire decimal: nobody pays less than a kopeck or a cent. */
export function isOfCents(amount: string): boolean {
  return /^\d+\.\d\d$/.test(amount)
}
