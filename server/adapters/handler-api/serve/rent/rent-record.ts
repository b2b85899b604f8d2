import { z } from 'zod'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import type { RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { type Answer, amountNumber, CURRENCY_NUMBERS, json } from '../answer.ts'
import { endDate, protocolTime } from '../dialects/times.ts'
import { orderNameOf } from '../parameters/order-id.ts'
import { activationId } from '../parameters/parameter-schemas.ts'

/** Reads a rental id. A missing id is refused with NO_ID_RENT. A text that is no number becomes an unknown id. */
export const rentalId = activationId.or(z.string().transform(() => 0))

/** Makes the reply to a rental like SMS-Activate, with the fields that HeroSMS has in getNumberV2. */
export function rentedAnswer(ctx: Context, row: RentalRow, dialect: ServedDialect): Answer {
  if (row.phone === null) throw new Error('a number was rented without a number')
  return json({
    status: 'success',
    phone: { id: Number(row.id), endDate: endDate(dialect, row.expires_at), number: row.phone },
    activationId: row.id.toString(),
    phoneNumber: row.phone,
    activationCost: amountNumber(row.price_micros),
    currency: CURRENCY_NUMBERS[row.currency],
    countryCode: row.country_id,
    countryPhoneCode: Number(catalogOf(ctx).countries.get(row.country_id)?.dial ?? 0),
    serviceCode: row.service_code,
    subtype: 2,
    activationTime: protocolTime(dialect, row.created_at),
    activationEndTime: protocolTime(dialect, row.expires_at),
    activationOperator: row.operator ?? '',
  })
}

/**
 * Returns a row of the list of rentals. We added all fields except `id` and `phone`, to show new messages to resellers.
 */
export function rentedRow(dialect: ServedDialect, row: RentalRow) {
  return {
    id: row.id.toString(),
    phone: row.phone,
    endDate: endDate(dialect, row.expires_at),
    quantity: String(row.sms_count),
    service: row.service_code,
    country: String(row.country_id),
    orderId: orderNameOf(row.idempotency_key),
  }
}

/** Returns a list as an object with the keys "0", "1" …, as PHP writes lists. */
export function asPhpList<Item>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item, index) => [String(index), item]))
}

/** Returns a message of a rental. Its id never changes, so clients can skip known messages. */
export function rentedMessage(dialect: ServedDialect, { service_code: service }: RentalRow, message: MessageRow) {
  const { id, sender, body, received_at: at } = message
  return { id: id.toString(), phoneFrom: sender, text: body ?? '', service, date: protocolTime(dialect, at) }
}
