import { findUserFacts } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sessionText } from '#server/core/notifications/queries/bell.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import { amount, amountText, json } from '../answer.ts'
import { readCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { orderRecord } from '../orders/order-record.ts'
import { listActivationOrders } from '../queries/orders.ts'
import { ratingOf } from './rating.ts'

/** 5sim shows this vendor on every profile that sells nothing there. */
const NO_VENDOR = 'demo'

export const getProfile = readCall('/user/profile', async (ctx, _given, buyer) => {
  const { userId } = buyer
  const [user, rating, orders] = await Promise.all([
    findUserFacts(ctx.db, userId, sessionText(null)),
    ratingOf(ctx, buyer),
    listActivationOrders(ctx.db, { userId, newestFirst: true, limit: 1, offset: 0 }),
  ])
  if (user === null) throw unauthenticated()
  const [last] = orders.map((row) => ({ ...orderRecord(ctx, { kind: 'activation', row }, null), row }))
  return json({
    id: userId,
    email: user.email ?? '',
    vendor: NO_VENDOR,
    default_forwarding_number: '',
    balance: amount(user.available_micros - user.debt_micros),
    rating,
    default_country: countryOf(ctx, user.settings.default_country_id ?? 0),
    default_operator: { name: '' },
    frozen_balance: amount(user.held_micros),
    last_order: last
      ? [last.country, last.product, last.operator, last.id, amountText(last.row.price_micros)].join(':')
      : '',
    last_top_orders: '',
    total_active_orders: Number(user.active + user.rented),
    ...sandboxMark(ctx),
  })
})

function countryOf(ctx: Context, id: number) {
  const catalog = catalogOf(ctx)
  const country = catalog.countries.get(id)
  if (country === undefined) return { name: '', iso: '', prefix: '' }
  return { name: namesOf(catalog).slugOf(id), iso: country.iso2.toLowerCase(), prefix: `+${country.dial}` }
}
