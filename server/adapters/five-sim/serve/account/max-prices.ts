import { readAmount } from '#server/adapters/shared/parameters/read-amount.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { amount, json, time, word } from '../answer.ts'
import { buyCall, type Given, readCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { deleteMaxPrice, listMaxPrices, putMaxPrice } from '../queries/max-prices.ts'

const PATH = '/user/max-prices'
/** 5sim's documentation gives only the status. This body follows the types of the npm package fivesim-api. */
const DONE = { success: true }

export const listPriceLimits = readCall(PATH, async (ctx, _given, { userId }) => {
  const names = namesOf(catalogOf(ctx))
  const rows = await listMaxPrices(ctx.db, userId)
  return json(
    rows.map((row) => ({
      id: Number(row.id),
      product: names.productOf(row.service_code),
      price: amount(row.price_micros),
      // The documentation of 5sim uses both names of this field.
      CreatedAt: time(row.created_at),
      created_at: time(row.created_at),
    })),
  )
})

export const setPriceLimit = buyCall(
  PATH,
  async (ctx, given, { userId }) => {
    const serviceCode = serviceOf(ctx, given)
    if (typeof serviceCode === 'object') return serviceCode
    const priceMicros = readAmount(given.price ?? '') ?? 0n
    if (priceMicros <= 0n) return word('bad price')
    await putMaxPrice(ctx.db, { userId, serviceCode, priceMicros, now: ctx.clock.now() })
    return json(DONE)
  },
  'POST',
)

export const deletePriceLimit = buyCall(
  PATH,
  async (ctx, given, { userId }) => {
    const serviceCode = serviceOf(ctx, given)
    if (typeof serviceCode === 'object') return serviceCode
    await deleteMaxPrice(ctx.db, { userId, serviceCode })
    return json(DONE)
  },
  'DELETE',
)

function serviceOf(ctx: Context, { product_name: product }: Given) {
  const catalog = catalogOf(ctx)
  if (product === undefined) return word('product_name is empty')
  return namesOf(catalog).serviceOf(product.toLowerCase()) ?? word('no product')
}
