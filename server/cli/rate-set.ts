import { parseDecimal, toDecimal } from '#contract/money.ts'
import { findUsdRate, raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { makeChange } from './change.ts'
import { type Command, WrongUsage } from './command.ts'
import { upsertUsdRate } from './queries/prices.ts'

export const setRate: Command = {
  name: 'rate:set',
  summary: 'set how many roubles one unit of a currency is: rate:set usd 90.5',
  values: ['CURRENCY', 'RUBLES'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [currency = '', text = ''] = given.values
    if (currency !== 'usd') throw new WrongUsage('The only currency with a rate is usd')
    const rubMicros = parseDecimal(text)
    if (rubMicros === null || rubMicros <= 0n) throw new WrongUsage('The rate is an amount above zero, such as 90.5')
    return makeChange(cli, { name: 'rate:set', given }, async (tx, now) => {
      const before = await findUsdRate(tx)
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
