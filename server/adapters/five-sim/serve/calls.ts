import { deletePriceLimit, listPriceLimits, setPriceLimit } from './account/max-prices.ts'
import { listPayments } from './account/payments.ts'
import { getProfile } from './account/profile.ts'
import type { FiveSimCall } from './call.ts'
import { listCountries } from './guest/countries.ts'
import { listPrices } from './guest/prices.ts'
import { listProducts } from './guest/products.ts'
import { banOrder, cancelOrder, checkOrder, finishOrder } from './orders/end-order.ts'
import { inbox } from './orders/inbox.ts'
import { listOrders } from './orders/list-orders.ts'
import { buyActivationNumber } from './purchase/buy-activation.ts'
import { buyHosting } from './purchase/buy-hosting.ts'
import { reuseNumber } from './purchase/reuse.ts'

export const fiveSimCalls: readonly FiveSimCall[] = [
  listCountries,
  listProducts,
  listPrices,
  getProfile,
  listOrders,
  listPayments,
  listPriceLimits,
  setPriceLimit,
  deletePriceLimit,
  buyActivationNumber,
  buyHosting,
  reuseNumber,
  checkOrder,
  finishOrder,
  cancelOrder,
  banOrder,
  inbox,
]
