import { type Currency, formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'

/** English pages write grouped amounts such as "1,240" and "100,000.50". */
const ENGLISH_GROUPS = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** Reads a typed amount: "1 240,5" and the English "1,240.5" become "1240.50". Returns null unless above zero. */
export function readAmount(text: string, locale: string): string | null {
  const typed = text.replace(/[\s\u00a0\u202f]/g, '')
  const isGrouped = !locale.startsWith('ru') && ENGLISH_GROUPS.test(typed)
  const micros = parseDecimal(isGrouped ? typed.replaceAll(',', '') : typed.replace(',', '.'))
  return micros === null || micros <= 0n ? null : toDecimal(micros)
}

/** Converts a decimal string into the text of an input field: "12.50" becomes "12,50" in Russian. */
export function writeAmount(decimal: string, locale: string): string {
  return locale.startsWith('ru') ? decimal.replace('.', ',') : decimal
}

/** Formats money without the ".00" of a whole amount. */
export function shortMoney(decimal: string, currency: Currency, locale: string): string {
  return formatMoney(decimal, currency, locale).replace(/[.,]00(?=\D|$)/, '')
}

export function shortAmount(decimal: string): string {
  return decimal.replace(/\.00$/, '')
}

/** Returns true if the amount has exactly two decimals. Nobody can pay a fraction of a kopeck or cent. */
export function isOfCents(amount: string): boolean {
  return /^\d+\.\d\d$/.test(amount)
}
