/** Amounts are bigint millionths (micros) in code, and strings of 2 to 6 decimals in the API. Never use a float. */
export const CURRENCIES = ['rub', 'usd'] as const
export type Currency = (typeof CURRENCIES)[number]

export const MICROS_PER_UNIT = 1_000_000n
const DECIMALS = 6
const SHOWN_DECIMALS = 2
const DECIMAL_PATTERN = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/

/** Converts a decimal such as "12.5" into 12500000n micros. Returns null for a malformed text. */
export function parseDecimal(text: string): bigint | null {
  const match = DECIMAL_PATTERN.exec(text)
  if (match === null) return null
  const [, sign, units = '0', fraction = ''] = match
  const micros = BigInt(units) * MICROS_PER_UNIT + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -micros : micros
}

/** Converts micros into a decimal of at least two places: 12500000n gives "12.50", 6700n gives "0.0067". */
export function toDecimal(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const absolute = micros < 0n ? -micros : micros
  const fraction = (absolute % MICROS_PER_UNIT).toString().padStart(DECIMALS, '0')
  const shown = fraction.replace(/0+$/, '').padEnd(SHOWN_DECIMALS, '0')
  return `${sign}${absolute / MICROS_PER_UNIT}.${shown}`
}

const SIGNS: Record<Currency, { before: string; after: string }> = {
  rub: { before: '', after: '\u00a0₽' },
  usd: { before: '$', after: '' },
}

/** Formats money: `1 240,50 ₽` or `$1,240.50` (specification 1). Russian groups digits with a no-break space. */
export function formatMoney(decimal: string, currency: Currency, locale: string): string {
  const negative = decimal.startsWith('-')
  const [units = '0', fraction = ''] = (negative ? decimal.slice(1) : decimal).split('.')
  const russian = locale.startsWith('ru')
  const grouped = units.replace(/\B(?=(\d{3})+(?!\d))/g, russian ? '\u00a0' : ',')
  const { before, after } = SIGNS[currency]
  const amount = `${grouped}${russian ? ',' : '.'}${fraction.padEnd(SHOWN_DECIMALS, '0')}`
  return `${negative ? '−' : ''}${before}${amount}${after}`
}
