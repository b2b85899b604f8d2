import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import type { Cli } from './command.ts'
import { WrongUsage } from './command.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500

export const PAGE_OPTIONS = { limit: { shows: `1-${MAX_LIMIT}` }, after: { shows: 'LAST' } } as const

export function readLimit(given: string | undefined): number {
  return readCount('limit', given, { otherwise: DEFAULT_LIMIT, atMost: MAX_LIMIT })
}

export function readAfterId(given: string | undefined): bigint | null {
  if (given === undefined) return null
  if (!/^\d{1,18}$/.test(given)) throw new WrongUsage('--after is the number that the page before ended with')
  return BigInt(given)
}

export function readCount(
  name: string,
  given: string | undefined,
  { otherwise, atMost }: { otherwise: number; atMost: number },
): number {
  if (given === undefined) return otherwise
  const count = /^\d{1,4}$/.test(given) ? Number(given) : 0
  if (count < 1 || count > atMost) throw new WrongUsage(`--${name} is a number from 1 to ${atMost}`)
  return count
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

/** Parses a time: `30m`, `24h` or `7d` ago, or `2026-01-31` or `2026-01-31T14:05:00Z`. */
export function readSince(given: string | undefined, now: Date): Date | null {
  if (given === undefined) return null
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(given) ?? []
  if (count !== undefined && unit !== undefined) return new Date(now.getTime() - Number(count) * (UNITS_MS[unit] ?? 0))
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(given) ? new Date(given) : null
  if (at === null || Number.isNaN(at.getTime())) {
    throw new WrongUsage('--since is such as 30m, 24h, 7d, 2026-01-31 or 2026-01-31T14:05:00Z')
  }
  return at
}

export function readPhone(given: string | undefined): string | null {
  if (given === undefined) return null
  const digits = given.replaceAll(/\D/g, '')
  if (digits.length < 7 || digits.length > 15)
    throw new WrongUsage('A phone is a whole number with its country code, such as 77051234567')
  return digits
}

export function readCountry(given: string | undefined): number | null {
  if (given === undefined) return null
  if (!/^\d{1,6}$/.test(given))
    throw new WrongUsage('--country is the number of a country: `country:list --search …` has it')
  return Number(given)
}

export const NONE = 'There is none.'

export function remarkPage(
  { remark }: Pick<Cli, 'remark'>,
  page: { rows: readonly unknown[]; limit: number; last: unknown },
): void {
  if (page.rows.length === 0) remark(NONE)
  if (page.rows.length === page.limit) remark(`There may be more: --after ${String(page.last)}`)
}

/** Removes control characters, so that foreign text cannot control the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
