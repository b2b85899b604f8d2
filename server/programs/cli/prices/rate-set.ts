import { MICROS_PER_UNIT, parseDecimal, toDecimal } from '#contract/money.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { isDoubtful, MOST_MOVED_PER_CENT } from '#server/house/rates/fetch-rates.ts'
import { findRate, storeRate } from '#server/house/rates/queries.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, WrongUsage } from '#server/programs/cli/command.ts'

const PLAUSIBLE = { leastMicros: 20n * MICROS_PER_UNIT, mostMicros: 500n * MICROS_PER_UNIT }

export const setRate: Command = {
  name: 'rate:set',
  summary: 'set how many roubles one unit of a currency is: rate:set usd 90.5',
  values: ['CURRENCY', 'RUBLES'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [typed = '', text = ''] = given.values
    const currency = readCurrency(typed)
    const rubMicros = parseDecimal(text)
    if (rubMicros === null || rubMicros <= 0n) throw new WrongUsage('The rate is an amount above zero, such as 90.5')
    return makeChange(cli, { name: 'rate:set', given }, async (tx, now) => {
      const before = (await findRate(tx, currency))?.rub_micros ?? null
      refuseDoubtfulRate(given, { currency, before, rubMicros })
      await storeRate(tx, { currency, rubMicros, source: 'rate:set', now })
      await raiseCatalogVersion(tx, now)
      const was = before === null ? null : toDecimal(before)
      return {
        subject: `rate:${currency}`,
        detail: { before: was, after: toDecimal(rubMicros) },
        says: `1 ${currency} is ${toDecimal(rubMicros)} rub now${was === null ? '' : ` (was ${was})`}.`,
      }
    })
  },
}

const CURRENCY_PATTERN = /^[a-z0-9]{2,10}$/

/** Reads a currency. Throws WrongUsage for roubles, because every rate is in roubles. */
export function readCurrency(typed: string): string {
  if (CURRENCY_PATTERN.test(typed) && typed !== 'rub') return typed
  throw new WrongUsage('CURRENCY is such as usd, usdt or eth')
}

/** Refuses an unconfirmed implausible rate, because a misplaced point would sell at a hundredth of the price. */
function refuseDoubtfulRate(
  given: Arguments,
  rate: { currency: string; before: bigint | null; rubMicros: bigint },
): void {
  const { currency, before, rubMicros } = rate
  const typed = `${toDecimal(rubMicros)} rub for 1 ${currency}`
  if (before === null) {
    // Only a dollar's plausible range is known.
    if (currency !== 'usd') return
    const { leastMicros, mostMicros } = PLAUSIBLE
    if (rubMicros >= leastMicros && rubMicros <= mostMicros) return
    refuseDoubtful(given, `${typed} is not between ${toDecimal(leastMicros)} and ${toDecimal(mostMicros)}`)
    return
  }
  if (!isDoubtful(before, rubMicros)) return
  refuseDoubtful(
    given,
    `${typed} differs by more than ${MOST_MOVED_PER_CENT} % from the rate so far, ${toDecimal(before)}`,
  )
}
