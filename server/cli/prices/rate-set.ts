import { MICROS_PER_UNIT, parseDecimal, toDecimal } from '#contract/money.ts'
import { findUsdRate, raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange, refuseDoubtful } from '#server/cli/change.ts'
import { type Arguments, type Command, WrongUsage } from '#server/cli/command.ts'
import { upsertUsdRate } from '#server/cli/queries/prices.ts'

/** A larger move between two commands is doubted. */
const MOST_PER_CENT = 10n
/** The plausible range of a first rate. */
const PLAUSIBLE = { leastMicros: 20n * MICROS_PER_UNIT, mostMicros: 500n * MICROS_PER_UNIT }

export const setRate: Command = {
  name: 'rate:set',
  summary: 'set how many roubles one unit of a currency is: rate:set usd 90.5',
  values: ['CURRENCY', 'RUBLES'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [currency = '', text = ''] = given.values
    if (currency !== 'usd') throw new WrongUsage('The only currency with a rate is usd')
    const rubMicros = parseDecimal(text)
    if (rubMicros === null || rubMicros <= 0n) throw new WrongUsage('The rate is an amount above zero, such as 90.5')
    return makeChange(cli, { name: 'rate:set', given }, async (tx, now) => {
      const before = await findUsdRate(tx)
      refuseDoubtfulRate(given, { before, rubMicros })
      await upsertUsdRate(tx, { rubMicros, now })
      await raiseCatalogVersion(tx, now)
      const was = before === null ? null : toDecimal(before)
      return {
        subject: 'rate:usd',
        detail: { before: was, after: toDecimal(rubMicros) },
        says: `1 usd is ${toDecimal(rubMicros)} rub now${was === null ? '' : ` (was ${was})`}.`,
      }
    })
  },
}

/** A misplaced decimal point sells everything at a hundredth. */
function refuseDoubtfulRate(given: Arguments, rate: { before: bigint | null; rubMicros: bigint }): void {
  const { before, rubMicros } = rate
  const typed = `${toDecimal(rubMicros)} rub for 1 usd`
  if (before === null) {
    const { leastMicros, mostMicros } = PLAUSIBLE
    if (rubMicros >= leastMicros && rubMicros <= mostMicros) return
    refuseDoubtful(given, `${typed} is not between ${toDecimal(leastMicros)} and ${toDecimal(mostMicros)}`)
    return
  }
  const move = rubMicros > before ? rubMicros - before : before - rubMicros
  if (move * 100n <= before * MOST_PER_CENT) return
  refuseDoubtful(given, `${typed} differs by more than ${MOST_PER_CENT} % from the rate so far, ${toDecimal(before)}`)
}
