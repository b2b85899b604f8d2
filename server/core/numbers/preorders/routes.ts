import { z } from 'zod'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { parseDecimal } from '#contract/money.ts'
import { preorderInputSchema, preorderReplySchema, preordersReplySchema } from '#contract/preorder.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { cancelPreorder } from './cancel.ts'
import { createPreorder } from './create.ts'
import { listOpen } from './queries/read.ts'
import { toRecord } from './record.ts'

export const preorderCalls: Call[] = [
  defineCall('POST /api/v1/preorders', {
    auth: 'required',
    scope: 'buy',
    input: preorderInputSchema,
    reply: preorderReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
      const row = await createPreorder(ctx, {
        userId: caller.member.userId,
        currency: caller.member.currency,
        serviceCode: input.service_id,
        countryId: input.country_id,
        operator: input.operator_id === undefined || input.operator_id === ANY_OPERATOR ? null : input.operator_id,
        maxPriceMicros: readMaxPrice(input.max_price),
        hours: input.hours,
        idempotencyKey: idempotencyKeyOf(wire),
        apiKeyId: caller.member.key?.id ?? null,
      })
      return { status: true as const, data: toRecord(ctx, row, caller.locale) }
    },
  }),
  defineCall('GET /api/v1/preorders', {
    auth: 'required',
    scope: 'read',
    input: z.object({}),
    reply: preordersReplySchema,
    async handle(ctx, caller) {
      const rows = await listOpen(ctx.db, caller.member.userId)
      return { status: true as const, data: rows.map((row) => toRecord(ctx, row, caller.locale)) }
    },
  }),
  defineCall('POST /api/v1/preorders/{id}/cancel', {
    auth: 'required',
    scope: 'buy',
    input: z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
    reply: preorderReplySchema,
    async handle(ctx, caller, { id }) {
      const row = await cancelPreorder(ctx, { preorderId: id, userId: caller.member.userId })
      return { status: true as const, data: toRecord(ctx, row, caller.locale) }
    },
  }),
]

function readMaxPrice(text: string): bigint {
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  const words = wordsOf('field.priceAboveZero')
  throw invalidInput({ max_price: [words] })
}
