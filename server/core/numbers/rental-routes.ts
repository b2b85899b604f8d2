import { rentals } from '#contract/calls/number-calls.ts'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { withoutText } from '#server/core/numbers/listing/message-record.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { type MemberCaller, mayRead } from '#server/house/http/caller.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { readPrice } from '#server/house/http/read-price.ts'
import { rentNumber } from './purchase/rent.ts'
import { cancelRental } from './rentals/cancel.ts'
import { extendRental, listExtensions } from './rentals/extend.ts'
import { finishRental } from './rentals/finish.ts'
import { listRentNumbers } from './rentals/list-rentals.ts'
import { findRental } from './rentals/queries/read.ts'
import type { RentalRow } from './rentals/queries/row.ts'
import { toRentalRecords } from './rentals/record.ts'

export const rentalCalls: Call[] = [
  route(rentals.active, listRentNumbers),
  route(rentals.rent, async (ctx, caller, input, wire) => {
    const rental = await rentNumber(ctx, {
      userId: caller.member.userId,
      currency: caller.member.currency,
      serviceCode: input.service_id,
      countryId: input.country_id,
      hours: input.period,
      operator: input.operator_id === undefined || input.operator_id === ANY_OPERATOR ? null : input.operator_id,
      shownPriceMicros: readPrice(input.price),
      idempotencyKey: idempotencyKeyOf(wire),
      apiKeyId: caller.member.key?.id ?? null,
      channel: 'site',
    })
    return answer(ctx, caller, rental)
  }),
  route(rentals.one, async (ctx, caller, { id }) => {
    const found = await findRental(ctx.db, { id, userId: caller.member.userId })
    if (found === null) throw notFound()
    return answer(ctx, caller, found)
  }),
  ...(
    [
      [rentals.cancel, cancelRental],
      [rentals.finish, finishRental],
    ] as const
  ).map(([call, run]) =>
    route(call, async (ctx, caller, { id }) =>
      answer(ctx, caller, await run(ctx, { rentalId: id, userId: caller.member.userId })),
    ),
  ),
  route(rentals.extensions, (ctx, { member }, { id }) =>
    listExtensions(ctx, { rentalId: id, userId: member.userId, currency: member.currency }),
  ),
  route(rentals.extend, async (ctx, caller, input, wire) => {
    const rental = await extendRental(ctx, {
      rentalId: input.id,
      userId: caller.member.userId,
      currency: caller.member.currency,
      hours: input.period,
      shownPriceMicros: readPrice(input.price),
      idempotencyKey: idempotencyKeyOf(wire),
      apiKeyId: caller.member.key?.id ?? null,
    })
    return answer(ctx, caller, rental)
  }),
]

async function answer(ctx: Context, caller: MemberCaller, row: RentalRow) {
  const [data] = await toRentalRecords(ctx, [row], caller.locale)
  if (data === undefined) throw new Error('a record was lost')
  return { status: true as const, data: mayRead(caller.member) ? data : withoutText(data) }
}
