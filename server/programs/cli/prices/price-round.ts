import { CURRENCIES } from '#contract/money.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { storeRounding } from '#server/core/catalog/rules/rule-queries.ts'
import { ROUNDINGS } from '#server/core/catalog/rules/sell-price.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'

export const roundPrices: Command = {
  name: 'price:round',
  summary:
    'round the prices of a currency: exact, or pleasant: up to the next five of the third figure (13.12 to 13.50), at most 5 % more',
  values: ['CURRENCY', 'ROUNDING'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [typedCurrency, typedRounding] = given.values
    const currency = CURRENCIES.find((one) => one === typedCurrency)
    const rounding = ROUNDINGS.find((one) => one === typedRounding)
    if (currency === undefined) throw new WrongUsage(`CURRENCY is one of ${CURRENCIES.join(', ')}`)
    if (rounding === undefined) throw new WrongUsage(`ROUNDING is one of ${ROUNDINGS.join(', ')}`)
    return makeChange(cli, { name: 'price:round', given }, async (tx, now) => {
      const before = await storeRounding(tx, { currency, rounding, now })
      await raiseCatalogVersion(tx, now)
      return {
        subject: `price-rounding:${currency}`,
        detail: { before, after: rounding },
        says: `Prices in ${currency} are ${rounding} figures ${before === rounding ? 'already' : 'now'}.`,
        unchanged: before === rounding,
      }
    })
  },
}
