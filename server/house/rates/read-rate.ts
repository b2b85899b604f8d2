import { MICROS_PER_UNIT } from '#contract/money.ts'

const DECIMALS = 6
const NUMBER_PATTERN = /^(\d{1,12})(?:[.,](\d{1,30}))?$/

/** Parses a decimal with a comma, "90,1234567", to 90123456n micros. Returns null unless the rate is above zero. */
export function readDecimalRate(text: string): bigint | null {
  const [, units, fraction = ''] = NUMBER_PATTERN.exec(text.trim()) ?? []
  if (units === undefined) return null
  const micros = BigInt(units) * MICROS_PER_UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  return micros > 0n ? micros : null
}

/** Reads the value at a JSON pointer (RFC 6901) digit by digit, so that a number never becomes a float. */
export function readJsonRate(body: string, pointer: string): bigint | null {
  const parsed: unknown = JSON.parse(body, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  )
  const found = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined), parsed)
  return typeof found === 'string' ? readDecimalRate(found) : null
}

/** Reads a rate in the Bank of Russia's daily list: `Value` roubles, with a decimal comma, for `Nominal` units. */
export function readCbrRate(body: Uint8Array, letters: string): bigint | null {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 200))
  const charset = /encoding="([\w-]+)"/.exec(head)?.[1] ?? 'windows-1251'
  const xml = new TextDecoder(charset).decode(body)
  const entry = xml.split('<Valute').find((part) => part.includes(`<CharCode>${letters}</CharCode>`))
  const [value, nominal] = ['Value', 'Nominal'].map(
    (tag) => new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(entry ?? '')?.[1],
  )
  const micros = readDecimalRate(value ?? '')
  if (micros === null || nominal === undefined || !/^[1-9]\d{0,6}$/.test(nominal)) return null
  return micros / BigInt(nominal)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
