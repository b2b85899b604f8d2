import { preorders } from '#contract/calls/number-calls.ts'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { parseDecimal } from '#contract/money.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { cancelPreorder } from './cancel.ts'
import { createPreorder } from './create.ts'
import { findLastSale } from './find-last-sale.ts'
import { listOpen } from './queries/read.ts'
import { toRecord } from './record.ts'

export const preorderCalls: Call[] = [
  route(preorders.create, async (ctx, caller, input, wire) => {
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
  }),
  route(preorders.list, async (ctx, caller) => {
    const rows = await listOpen(ctx.db, caller.member.userId)
    return { status: true as const, data: rows.map((row) => toRecord(ctx, row, caller.locale)) }
  }),
  route(preorders.lastSale, async (ctx, caller, kind) => ({
    status: true as const,
    data: await findLastSale(ctx, caller, kind),
  })),
  route(preorders.cancel, async (ctx, caller, { id }) => {
    const row = await cancelPreorder(ctx, { preorderId: id, userId: caller.member.userId })
    return { status: true as const, data: toRecord(ctx, row, caller.locale) }
  }),
]

function readMaxPrice(text: string): bigint {
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  const words = wordsOf('field.priceAboveZero')
  throw invalidInput({ max_price: [words] })
}
