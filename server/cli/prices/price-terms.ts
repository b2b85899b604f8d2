import { CURRENCIES, parseDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { type Arguments, WrongUsage } from '#server/cli/command.ts'
import type { PricePeriod, PriceRule } from '#server/cli/queries/prices.ts'
import { readMoment } from '#server/cli/read-moment.ts'

const MAX_MARGIN_PERCENT = 10_000
const MAX_AHEAD_MS = 366 * DAY

export const RULE_OPTIONS = {
  margin: { shows: '30' },
  price: { shows: '12.50' },
  currency: { shows: CURRENCIES.join('|') },
  from: { shows: '2026-12-01T09:00:00Z' },
  until: { shows: '2026-12-08' },
} as const

/** Throws WrongUsage. */
export function readRule({ margin, price, currency }: Arguments['options']): PriceRule {
  if ((margin === undefined) === (price === undefined)) throw new WrongUsage('Give either --margin or --price')
  if (margin !== undefined) {
    if (currency !== undefined) throw new WrongUsage('--currency belongs to --price')
    const marginPercent = /^\d{1,5}$/.test(margin) ? Number(margin) : Number.NaN
    if (!(marginPercent <= MAX_MARGIN_PERCENT)) throw new WrongUsage(`--margin is 0 to ${MAX_MARGIN_PERCENT} per cent`)
    return { marginPercent }
  }
  const priceMicros = parseDecimal(price ?? '')
  if (priceMicros === null || priceMicros <= 0n) throw new WrongUsage('--price is an amount above zero, such as 12.50')
  const known = CURRENCIES.find((one) => one === currency)
  if (known === undefined) throw new WrongUsage(`--currency is one of ${CURRENCIES.join(', ')}`)
  return { priceMicros, currency: known }
}

/** With an end alone it begins now. Throws WrongUsage. */
export function readPeriod({ from, until }: Arguments['options'], now: Date): PricePeriod {
  const startsAt = readMoment('from', from)
  const endsAt = readMoment('until', until)
  if (startsAt !== null && startsAt <= now)
    throw new WrongUsage('--from is a time to come; without it a rule begins now')
  const begins = startsAt ?? now
  if (endsAt !== null && endsAt <= begins) throw new WrongUsage('--until is a time after the rule begins')
  for (const at of [startsAt, endsAt]) {
    if (at !== null && at.getTime() - now.getTime() > MAX_AHEAD_MS) {
      throw new WrongUsage('--from and --until are at most a year ahead')
    }
  }
  return endsAt === null ? { startsAt, endsAt } : { startsAt: begins, endsAt }
}

export function describePeriod({ startsAt, endsAt }: PricePeriod, now: Date): string {
  const from = startsAt === null || startsAt <= now ? '' : ` from ${toText(startsAt)}`
  const until = endsAt === null ? '' : ` until ${toText(endsAt)}`
  return from + until
}

const toText = (at: Date): string => at.toISOString().replace('.000Z', 'Z')
