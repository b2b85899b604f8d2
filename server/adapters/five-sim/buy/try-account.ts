import { toDecimal } from '#contract/money.ts'
import { finding, tellSold } from '#server/adapters/shared/resold/finding.ts'
import { MOST_LOOK_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import { isOver } from '../wire/read-order.ts'
import { type Account, listOrders } from './account.ts'
import { readAllPrices, readSlugs } from './catalogue.ts'
import { askProfile } from './profile.ts'

export async function tryAccount(account: Account): Promise<SupplierFinding[]> {
  return [
    await finding('key and balance', () => tellProfile(account)),
    await finding('prices', async () => tellSold(await readSlugs(account), await readAllPrices(account))),
    await finding('open activations', () => tellOpen(account)),
  ]
}

async function tellProfile(account: Account): Promise<string> {
  const { micros, ratingHundredths } = await askProfile(account)
  const rating = ratingHundredths === null ? 'no rating' : `rating ${ratingHundredths / 100}`
  if (ratingHundredths === 0) throw new Error('the rating is 0: nothing is sold until it is raised again')
  return `${toDecimal(micros)} ${account.settings.currency}, ${rating}`
}

async function tellOpen(account: Account): Promise<string> {
  const { orders } = await listOrders(account, 0, { left: MOST_LOOK_BYTES })
  return `${orders.filter((order) => !isOver(order)).length} open of the newest ${orders.length}`
}
