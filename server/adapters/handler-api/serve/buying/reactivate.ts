import { z } from 'zod'
import { MINUTE, SECOND } from '#contract/time.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { quoteRepeat } from '#server/core/numbers/activations/can-repeat.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { repeatPurchase } from '#server/core/numbers/purchase/repeat.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { keyAction } from '../action.ts'
import { amountNumber, CURRENCY_NUMBERS, json, text, word } from '../answer.ts'
import { orderId, orderKey } from '../parameters/order-id.ts'
import { activationId, ceilingMicros } from '../parameters/parameter-schemas.ts'
import { findCeiling } from './ceilings/queries.ts'
import { numberReply } from './number-reply.ts'

const MINUTE_SECONDS = MINUTE / SECOND
const purchase = { maxPrice: ceilingMicros.optional(), orderId: orderId.optional() }
const words = {
  NOT_FOUND: 'WRONG_ACTIVATION_ID',
  REPEAT_UNAVAILABLE: 'RENEW_ACTIVATION_NOT_AVAILABLE',
  NO_NUMBERS: 'NEW_ACTIVATION_IMPOSSIBLE',
} satisfies Record<string, Word>
const wrongId = word('WRONG_ACTIVATION_ID')
const badData = word('BAD_DATA')

/** Buys the number of a finished activation again, like SMS-Activate and DaisySMS. */
export const getExtraActivation = keyAction({
  scope: 'buy',
  parameters: z.object({ activationId, ...purchase }),
  refusals: { activationId: wrongId, orderId: badData },
  words,
  async handle(ctx, member, { activationId: id, ...wanted }) {
    const row = await buyAgain(ctx, member, { id, ...wanted })
    return row === null ? word('ORDER_ALREADY_EXISTS') : text(`ACCESS_NUMBER:${row.id}:${row.phone}`)
  },
})

/** Buys the number of an activation again, like HeroSMS. `duration` is ignored: activations have one length. */
export const reactivate = keyAction({
  scope: 'buy',
  parameters: z.object({ id: activationId, ...purchase }),
  refusals: { id: wrongId, orderId: badData },
  words,
  async handle(ctx, member, wanted, dialect) {
    const row = await buyAgain(ctx, member, wanted)
    return row === null ? word('ORDER_ALREADY_EXISTS') : numberReply(ctx, row, dialect)
  },
})

type Again = { id: number; maxPrice?: bigint | undefined; orderId?: string | undefined }

/** Buys the number of an activation again. Returns null if the same `orderId` already bought it. */
async function buyAgain(
  ctx: Context,
  member: Member,
  { id, maxPrice, orderId: name }: Again,
): Promise<ActivationRow | null> {
  const key = name === undefined ? undefined : orderKey(name)
  const { activation, repeated } = await repeatPurchase(ctx, {
    activationId: id,
    userId: member.userId,
    maxPriceMicros: maxPrice,
    standingMaxMicros: await storedCeiling(ctx, member, id),
    idempotencyKey: key,
    apiKeyId: member.key?.id ?? null,
    channel: 'handler_api',
  })
  return repeated ? null : activation
}

async function storedCeiling(ctx: Context, { userId, key }: Member, id: number): Promise<bigint | undefined> {
  const row = key?.capped ? await findActivation(ctx.db, { id, userId }) : null
  if (row === null || key === null) return undefined
  return findCeiling(ctx.db, { key: key.id, service: row.service_code, country: row.country_id })
}

export const checkExtraActivation = keyAction({
  scope: 'read',
  parameters: z.object({ activationId }),
  refusals: { activationId: wrongId },
  async handle(ctx, member, { activationId: id }) {
    const found = await quoteOf(ctx, member, id)
    if (typeof found === 'string') return word(found)
    const { row, priceMicros } = found
    return json({
      status: 'success',
      cost: amountNumber(priceMicros),
      service: row.service_code,
      phone: Number(row.phone),
      country: row.country_id,
    })
  },
})

const priced = { scope: 'read', parameters: z.object({ id: activationId }), refusals: { id: wrongId } } as const

export const reactivateOptions = keyAction({
  ...priced,
  async handle(ctx, member, { id }) {
    const found = await quoteOf(ctx, member, id)
    if (typeof found === 'string') return word(found)
    const minutes = Math.round(ctx.config.activationSeconds / MINUTE_SECONDS)
    const option = { price: amountNumber(found.priceMicros), duration: { unit: 'minute', value: minutes } }
    return json({ data: { options: [option] } })
  },
})

/** Returns the price of buying an activation's number again. The npm client hero-sms uses this action's name. */
export const reactivationPrice = keyAction({
  ...priced,
  async handle(ctx, member, { id }) {
    const found = await quoteOf(ctx, member, id)
    if (typeof found === 'string') return word(found)
    return json({ data: { price: amountNumber(found.priceMicros), currency: CURRENCY_NUMBERS[found.row.currency] } })
  },
})

async function quoteOf(ctx: Context, { userId }: Member, id: number) {
  const row = await findActivation(ctx.db, { id, userId })
  if (row === null) return 'WRONG_ACTIVATION_ID' as const
  const found = quoteRepeat(ctx, row)
  return found === undefined ? ('RENEW_ACTIVATION_NOT_AVAILABLE' as const) : { row, priceMicros: found.priceMicros }
}
