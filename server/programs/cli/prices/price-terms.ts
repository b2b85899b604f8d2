import { CURRENCIES, parseDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { type Arguments, WrongUsage } from '#server/programs/cli/command.ts'
import type { LossLimits, PricePeriod, PriceRule, PriceScope } from '#server/programs/cli/queries/prices.ts'
import { readMoment } from '#server/programs/cli/read-moment.ts'

const MAX_MARGIN_PERCENT = 10_000
/** A loss limit above this maximum is a typing error. */
const MOST_LOST_MICROS = 1_000_000_000n * 1_000_000n
const MAX_AHEAD_MS = 366 * DAY

export const RULE_OPTIONS = {
  margin: { shows: '30' },
  price: { shows: '12.50' },
  currency: { shows: CURRENCIES.join('|') },
  from: { shows: '2026-12-01T09:00:00Z' },
  until: { shows: '2026-12-08' },
  'sale-loss-limit': { shows: '4' },
  'loss-limit': { shows: '5000' },
} as const
export const BELOW_COST = 'below-cost'
export const RULE_SWITCHES = [BELOW_COST]

/** Reads a price rule. Throws WrongUsage unless exactly one valid margin or price is given. */
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

/**
 * Reads the price rule of the command `price:set`. With `--below-cost` the rule needs one service, one country, a fixed
 * price and an end. It also needs limits of the loss per sale and in total. Throws WrongUsage.
 */
export function readRuleFor(scope: PriceScope, { options, switches }: Arguments): PriceRule {
  const rule = readRule(options)
  const { 'sale-loss-limit': saleLimit, 'loss-limit': limit } = options
  if (!switches.has(BELOW_COST)) {
    if (saleLimit === undefined && limit === undefined) return rule
    throw new WrongUsage(`--sale-loss-limit and --loss-limit belong to --${BELOW_COST}`)
  }
  if (scope.serviceCode === null || scope.countryId === null) {
    throw new WrongUsage(`--${BELOW_COST} is for one pair: give --service and --country`)
  }
  if (!('priceMicros' in rule)) throw new WrongUsage(`--${BELOW_COST} belongs to --price`)
  if (options.until === undefined) throw new WrongUsage(`--${BELOW_COST} needs its end: give --until`)
  return { ...rule, belowCost: readLimits(saleLimit, limit) }
}

function readLimits(saleLimit: string | undefined, limit: string | undefined): LossLimits {
  const saleLimitMicros = parseDecimal(saleLimit ?? '')
  const limitMicros = parseDecimal(limit ?? '')
  if (saleLimitMicros === null || saleLimitMicros <= 0n) {
    throw new WrongUsage('--sale-loss-limit is what one sale may lose at most, such as 4')
  }
  if (limitMicros === null || limitMicros < saleLimitMicros || limitMicros > MOST_LOST_MICROS) {
    throw new WrongUsage('--loss-limit is what all sales may lose at most, such as 5000: not below --sale-loss-limit')
  }
  return { saleLimitMicros, limitMicros }
}

/** Reads when a price rule begins and ends. A rule with only an end begins now. Throws WrongUsage. */
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
