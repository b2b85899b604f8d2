import { z } from 'zod'
import { numbersFilterSchema } from '#contract/activation.ts'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import {
  activeRentNumbersSchema,
  extendInputSchema,
  extensionsReplySchema,
  rentalReplySchema,
  rentInputSchema,
} from '#contract/rental.ts'
import { withoutWords } from '#server/core/numbers/listing/message-record.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
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

const byId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const rentalCalls: Call[] = [
  defineCall('GET /api/user/active-rent-numbers', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: numbersFilterSchema.extend({ ended: z.literal('1').optional() }),
    reply: activeRentNumbersSchema,
    handle: listRentNumbers,
  }),
  defineCall('POST /api/v1/rentals', {
    auth: 'required',
    scope: 'buy',
    sandbox: true,
    input: rentInputSchema,
    reply: rentalReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
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
    },
  }),
  defineCall('GET /api/v1/rentals/{id}', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: byId,
    reply: rentalReplySchema,
    async handle(ctx, caller, { id }) {
      const found = await findRental(ctx.db, { id, userId: caller.member.userId })
      if (found === null) throw notFound()
      return answer(ctx, caller, found)
    },
  }),
  ...(
    [
      ['cancel', cancelRental],
      ['finish', finishRental],
    ] as const
  ).map(([verb, run]) =>
    defineCall(`POST /api/v1/rentals/{id}/${verb}`, {
      auth: 'required',
      scope: 'buy',
      sandbox: true,
      input: byId,
      reply: rentalReplySchema,
      handle: async (ctx, caller, { id }) =>
        answer(ctx, caller, await run(ctx, { rentalId: id, userId: caller.member.userId })),
    }),
  ),
  defineCall('GET /api/v1/rentals/{id}/extensions', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: byId,
    reply: extensionsReplySchema,
    handle: (ctx, { member }, { id }) =>
      listExtensions(ctx, { rentalId: id, userId: member.userId, currency: member.currency }),
  }),
  defineCall('POST /api/v1/rentals/{id}/extend', {
    auth: 'required',
    scope: 'buy',
    sandbox: true,
    input: extendInputSchema,
    reply: rentalReplySchema,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
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
    },
  }),
]

async function answer(ctx: Context, caller: MemberCaller, row: RentalRow) {
  const [data] = await toRentalRecords(ctx, [row], caller.locale)
  if (data === undefined) throw new Error('a record was lost')
  return { status: true as const, data: mayRead(caller.member) ? data : withoutWords(data) }
}
