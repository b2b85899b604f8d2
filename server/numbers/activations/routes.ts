import { z } from 'zod'
import {
  activationReplySchema,
  activeNumbersSchema,
  anotherNumberInputSchema,
  numbersFilterSchema,
  purchaseInputSchema,
} from '#contract/activation.ts'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts'
import { readPrice } from '#server/http/read-price.ts'
import { askForAnotherCode } from './ask-another-code.ts'
import { buyActivation } from './buy.ts'
import { cancelActivation, markActivationUsed } from './cancel.ts'
import { finishActivation } from './finish.ts'
import { listActiveNumbers } from './list-active.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'
import { toRecords } from './record.ts'
import { repeatActivation } from './repeat.ts'
import { replaceActivation } from './replace.ts'

const byId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const activationCalls: Call[] = [
  defineCall('GET /api/user/active-numbers', {
    auth: 'required',
    scope: 'read',
    input: numbersFilterSchema,
    reply: activeNumbersSchema,
    handle: listActiveNumbers,
  }),
  defineCall('POST /api/v1/activations', {
    auth: 'required',
    scope: 'buy',
    input: purchaseInputSchema,
    reply: activationReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
      const { activation } = await buyActivation(ctx, {
        userId: caller.member.userId,
        currency: caller.member.currency,
        serviceCode: input.service_id,
        countryId: input.country_id,
        operator: input.operator_id === undefined || input.operator_id === ANY_OPERATOR ? null : input.operator_id,
        shownPriceMicros: readPrice(input.price),
        maxPriceMicros: readPrice(input.max_price, 'max_price'),
        idempotencyKey: idempotencyKeyOf(wire),
        apiKeyId: caller.member.key?.id ?? null,
        channel: 'site',
      })
      return answer(ctx, caller, activation)
    },
  }),
  defineCall('GET /api/v1/activations/{id}', {
    auth: 'required',
    scope: 'read',
    input: byId,
    reply: activationReplySchema,
    async handle(ctx, caller, { id }) {
      const found = await findActivation(ctx.db, { id, userId: caller.member.userId })
      if (found === null) throw notFound()
      return answer(ctx, caller, found)
    },
  }),
  ...(
    [
      ['cancel', cancelActivation],
      ['again', askForAnotherCode],
      ['finish', finishActivation],
      ['used', markActivationUsed],
    ] as const
  ).map(([verb, run]) =>
    defineCall(`POST /api/v1/activations/{id}/${verb}`, {
      auth: 'required',
      scope: 'buy',
      input: byId,
      reply: activationReplySchema,
      handle: async (ctx, caller, { id }) =>
        answer(ctx, caller, await run(ctx, { activationId: id, userId: caller.member.userId })),
    }),
  ),
  ...(
    [
      ['replace', replaceActivation],
      ['repeat', repeatActivation],
    ] as const
  ).map(([verb, run]) =>
    defineCall(`POST /api/v1/activations/{id}/${verb}`, {
      auth: 'required',
      scope: 'buy',
      input: anotherNumberInputSchema,
      reply: activationReplySchema,
      status: 201,
      onceByKey: true,
      async handle(ctx, caller, { id, price }, wire) {
        const { userId } = caller.member
        const purchase = {
          shownPriceMicros: readPrice(price),
          idempotencyKey: idempotencyKeyOf(wire),
          apiKeyId: caller.member.key?.id ?? null,
        }
        return answer(ctx, caller, await run(ctx, { activationId: id, userId, ...purchase }))
      },
    }),
  ),
]

async function answer(ctx: Context, caller: Caller, row: ActivationRow) {
  const [data] = await toRecords(ctx, [row], caller.locale)
  if (data === undefined) throw new Error('a record was lost')
  return { status: true as const, data }
}
