import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { finding, tellSold } from '#server/adapters/shared/resold/finding.ts'
import { MOST_PRICE_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { type Account, lookAtActive } from './buy/account.ts'
import { askBalance } from './buy/balance.ts'
import { readFieldNames } from './buy/catalogue.ts'
import { askServices } from './rent/listed/listed-offers.ts'
import { readAllListed } from './rent/listed/read-list.ts'
import { readPrices } from './wire/read-prices.ts'

export async function tryAccount(account: Account): Promise<SupplierFinding[]> {
  return [
    await finding(
      'key and balance',
      async () => `${toDecimal(await askBalance(account))} ${account.settings.currency}`,
    ),
    await finding('prices', () => tellPrices(account)),
    await finding('open activations', () => tellActive(account)),
    ...(account.dialect.rents === 'listed' ? [await finding('rentals', () => tellRents(account))] : []),
  ]
}

async function tellRents(account: Account): Promise<string> {
  const [hours] = RENT_PERIODS_HOURS
  const list = await askServices(account, { hours })
  if (list === 'not-here') return 'this service rents nothing out'
  const rented = await readAllListed(account, {})
  return `${list?.countries.length ?? 0} countries to rent in for ${hours} hours, ${rented.length} rented`
}

async function tellPrices(account: Account): Promise<string> {
  const { action, shape } = account.dialect.prices
  const reply = await account.ask({ action, mostBytes: MOST_PRICE_BYTES })
  const read = reply.word === null ? await runYielding(readPrices(reply.json, shape)) : null
  if (read === null) throw new Error(`they cannot be read: ${reply.word ?? `status ${reply.status}`}`)
  return tellSold(await readFieldNames(account), read)
}

async function tellActive(account: Account): Promise<string> {
  if (account.dialect.list === null) return 'this dialect has no list of them: each number is asked about'
  return `${(await lookAtActive(account, { fresh: true })).length} open`
}
