import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { type Answer, amountNumber, CURRENCY_NUMBERS, jsonInBothTypes } from '../answer.ts'
import { protocolTime } from '../dialects/times.ts'
import { canGetAnotherSms } from './another-sms.ts'

const AGAIN = {
  boolean: (can: boolean) => can,
  text: (can: boolean) => (can ? '1' : '0'),
  number: Number,
} as const

export function numberReply(ctx: Context, row: ActivationRow, dialect: ServedDialect): Answer {
  const { number } = dialect
  const cancellable = new Date(row.created_at.getTime() + ctx.config.earlyCancelSeconds * SECOND)
  const again = canGetAnotherSms(ctx, row)
  const reply = {
    activationId: number.id === 'text' ? row.id.toString() : Number(row.id),
    phoneNumber: row.phone,
    activationCost: number.cost === 'text' ? toDecimal(row.price_micros) : amountNumber(row.price_micros),
    ...(number.currency && { currency: CURRENCY_NUMBERS[row.currency] }),
    countryCode: number.country === 'text' ? String(row.country_id) : row.country_id,
    countryPhoneCode: Number(catalogOf(ctx).countries.get(row.country_id)?.dial ?? 0),
    canGetAnotherSms: AGAIN[number.again](again),
    activationTime: protocolTime(dialect, row.created_at),
    activationEndTime: protocolTime(dialect, row.expires_at),
    activationOperator: row.operator ?? '',
    // Some clients take a reply without `status` for a refusal. HeroSMS's numeric status breaks other clients.
    status: 'success',
    ...(number.more === 'kind' && { verificationType: 'sms', subtype: 1, serviceCode: row.service_code }),
    ...(number.more === 'ends' && {
      activationEnd: protocolTime(dialect, row.expires_at),
      activationCancel: protocolTime(dialect, cancellable),
    }),
  }
  const texts = { activationCost: toDecimal(row.price_micros), countryCode: String(row.country_id) }
  return jsonInBothTypes(reply, { ...reply, ...texts, activationId: row.id.toString(), canGetAnotherSms: again })
}
