import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import type { Member } from '#server/http/caller.ts'
import { buyActivation } from '#server/numbers/activations/buy.ts'
import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'
import { keyAction } from './action.ts'
import { canGetAnotherSms } from './another-sms.ts'
import { type Answer, amountNumber, CURRENCY_NUMBERS, jsonInBothTypes, protocolTime, text, word } from './answer.ts'
import { orderId, orderKey } from './parameters/order-id.ts'
import { ceilingMicros, commaList, countryId, flag, serviceCode } from './parameters/parameter-schemas.ts'

/** Country code and 3 to 6 digits. */
const EXCLUDED_PREFIX = /^\d{4,10}$/
const MAX_EXCLUDED_PREFIXES = 20
const ANY_OPERATOR = 'any'
const SMS = '0'

/** Other parameters are ignored, because none can change the purchase (docs/api/handler_api.md). */
const purchaseParameters = z.object({
  service: serviceCode,
  country: countryId.default(0),
  operator: commaList,
  maxPrice: ceilingMicros.optional(),
  /** DaisySMS's name, which clients of SMSHub send as well. */
  max_price: ceilingMicros.optional(),
  phoneException: commaList.pipe(z.array(z.string().regex(EXCLUDED_PREFIX)).max(MAX_EXCLUDED_PREFIXES)),
  orderId: orderId.optional(),
  activationType: z.string().default(SMS),
  forward: flag,
  verification: flag,
  providerIds: commaList,
  areas: commaList,
  carriers: commaList,
})
type Wanted = z.output<typeof purchaseParameters>

const refusals = {
  service: word('BAD_SERVICE'),
  country: word('BAD_COUNTRY'),
  phoneException: word('WRONG_EXCEPTION_PHONE'),
  orderId: word('BAD_DATA'),
}

/** `ACCESS_NUMBER:id:phone`. */
export const getNumber = keyAction({
  scope: 'buy',
  parameters: purchaseParameters,
  refusals,
  handle: (ctx, member, wanted) =>
    buyNumber(ctx, member, wanted, (row, phone) => text(`ACCESS_NUMBER:${row.id}:${phone}`)),
})

export const getNumberV2 = keyAction({
  scope: 'buy',
  parameters: purchaseParameters,
  refusals,
  handle: (ctx, member, wanted) =>
    buyNumber(ctx, member, wanted, (row, phone) => {
      const number = toNumber(ctx, row, phone)
      const { activationCost, countryCode } = number
      const older = { activationCost: toDecimal(activationCost), countryCode: String(countryCode) }
      return jsonInBothTypes({ ...number, activationCost: amountNumber(activationCost) }, { ...number, ...older })
    }),
})

function toNumber(ctx: Context, row: ActivationRow, phone: string) {
  return {
    activationId: row.id.toString(),
    phoneNumber: phone,
    activationCost: row.price_micros,
    currency: CURRENCY_NUMBERS[row.currency],
    countryCode: row.country_id,
    countryPhoneCode: Number(ctx.catalog.countries.get(row.country_id)?.dial ?? 0),
    canGetAnotherSms: canGetAnotherSms(ctx, row),
    activationTime: protocolTime(row.created_at),
    activationEndTime: protocolTime(row.expires_at),
    activationOperator: row.operator ?? '',
    // Some clients take a reply without `status` for a refusal; HeroSMS's numeric status breaks others.
    status: 'success',
  }
}

async function buyNumber(
  ctx: Context,
  member: Member,
  wanted: Wanted,
  toAnswer: (row: ActivationRow, phone: string) => Answer,
): Promise<Answer> {
  if (isUnsold(wanted)) return word('NO_NUMBERS')
  const { activation, repeated } = await buyActivation(ctx, {
    userId: member.userId,
    currency: member.currency,
    serviceCode: wanted.service,
    countryId: wanted.country,
    operator: chooseOperator(ctx, wanted),
    operatorFallback: true,
    maxPriceMicros: lowestCeiling(wanted),
    excludedPrefixes: wanted.phoneException,
    idempotencyKey: wanted.orderId === undefined ? undefined : orderKey(wanted.orderId),
    apiKeyId: member.key?.id ?? null,
    channel: 'handler_api',
  })
  if (repeated) return word('ORDER_ALREADY_EXISTS')
  if (activation.phone === null) throw new Error('an activation was sold without a number')
  return toAnswer(activation, activation.phone)
}

/** The lower of two ceilings holds. */
function lowestCeiling({ maxPrice, max_price: other }: Wanted): bigint | undefined {
  if (maxPrice === undefined || other === undefined) return maxPrice ?? other
  return maxPrice < other ? maxPrice : other
}

/** Calls, forwarding and other platforms' choices are not sold; any other number would be charged in vain. */
function isUnsold(wanted: Wanted): boolean {
  const chosen = [wanted.providerIds, wanted.areas, wanted.carriers]
  const isChosen = chosen.some((list) => list.length > 0)
  return wanted.activationType !== SMS || wanted.forward || wanted.verification || isChosen
}

/** The first listed operator with an offer; null means any. */
function chooseOperator(ctx: Context, wanted: Wanted): string | null {
  if (wanted.operator.length === 0) return null
  const offers = ctx.catalog.pair(wanted.service, wanted.country)?.offers ?? []
  for (const name of wanted.operator) {
    if (name === ANY_OPERATOR) return null
    const found = offers.find((offer) => offer.operator.toLowerCase() === name)
    if (found !== undefined) return found.operator
  }
  return null
}
