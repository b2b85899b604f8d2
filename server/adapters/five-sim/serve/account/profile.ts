import { findUserFacts } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sessionText } from '#server/core/notifications/queries/bell.ts'
import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { findLimits, listOpenPauses } from '#server/core/numbers/limits/queries.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import { amount, amountText, json } from '../answer.ts'
import { readCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { orderRecord } from '../orders/order-record.ts'
import { listActivationOrders } from '../queries/orders.ts'
import { isKeySpent } from '../queries/rating.ts'

/** The highest rating that an account of 5sim can have. */
const FULL = 96
/** The reduction of the rating for each pair of service and country that is paused for the buyer. */
const OF_A_PAUSE = 4
const LEAST_THAT_BUYS = 1

/** The vendor name that 5sim shows in the profile of every account that sells no numbers. */
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

/** Returns the buyer's rating. It is 0 exactly when each purchase would be refused with `not enough rating`. */
async function ratingOf(ctx: Context, { userId, currency, key }: Member): Promise<number> {
  const now = ctx.clock.now()
  const [limits, pauses, keySpent] = await Promise.all([
    findLimits(ctx.db, {
      userId,
      priceMicros: 1n,
      opensNumber: true,
      besides: null,
      now,
      limits: limitsOf(ctx, currency),
    }),
    listOpenPauses(ctx.db, { userId, now }),
    key === null ? false : isKeySpent(ctx.db, { keyId: key.id, now }),
  ])
  if (limits.reached !== null || keySpent) return 0
  return Math.max(LEAST_THAT_BUYS, FULL - OF_A_PAUSE * pauses.length)
}
