import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { CARD_NUMBERS, CARD_PAYMENTS, type StaffRole } from '#contract/staff/staff-constants.ts'
import type { BuyerCard, CardNumber } from '#contract/staff/staff-room.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import { maskPhone } from '#server/core/numbers/listing/mask-phone.ts'
import type { Context } from '#server/house/context.ts'
import { type CardNumberRow, findBuyer, listCardNumbers, listCardPayments } from './queries/card.ts'
import type { StaffTicketRow } from './queries/tickets.ts'
import type { StaffCaller } from './staff-call.ts'

/**
 * Returns what staff see of a ticket's buyer. Phone numbers that the ticket is not about are masked, because staff need
 * not know them.
 */
export async function buyerCardOf(
  ctx: Context,
  ticket: StaffTicketRow,
  { locale, staff: { role } }: Pick<StaffCaller, 'locale' | 'staff'>,
): Promise<BuyerCard> {
  const { user_id: userId, activation_id: activationId, rental_id: rentalId, payment_id: paymentId } = ticket
  const [buyer, numbers, payments] = await Promise.all([
    findBuyer(ctx.db, userId),
    listCardNumbers(ctx.db, { userId, activationId, rentalId, limit: CARD_NUMBERS }),
    listCardPayments(ctx.db, { userId, paymentId, limit: CARD_PAYMENTS }),
  ])
  if (buyer === null) throw new Error(`user ${userId} has no account`)
  return {
    id: buyer.id,
    name: buyer.name,
    email: buyer.email,
    locale: buyer.locale,
    blocked: buyer.blocked_at !== null,
    deleted: buyer.erased_at !== null,
    currency: buyer.currency,
    balance: toDecimal(buyer.available_micros),
    held: toDecimal(buyer.held_micros),
    debt: toDecimal(buyer.debt_micros),
    registered_at: buyer.created_at.toISOString(),
    tickets_count: Number(buyer.tickets),
    numbers: aboutFirst(
      numbers.map((row) => toNumber(ctx, row, { ticket, locale, role, deleted: buyer.erased_at !== null })),
    ).slice(0, CARD_NUMBERS),
    payments: aboutFirst(
      payments.map((row) => ({
        transaction_id: row.transaction_id,
        about: row.id === paymentId,
        system: gatewaysOf(ctx).describe(row.gateway_id, row.system)?.names[locale] ?? row.system,
        state: row.state,
        sum: toDecimal(row.amount_micros),
        created_at: row.created_at.toISOString(),
      })),
    ),
  }
}

function toNumber(
  ctx: Context,
  row: CardNumberRow,
  { ticket, locale, role, deleted }: { ticket: StaffTicketRow; locale: Locale; role: StaffRole; deleted: boolean },
): CardNumber {
  const about = row.id === (row.kind === 'activation' ? ticket.activation_id : ticket.rental_id)
  return {
    kind: row.kind,
    id: Number(row.id),
    about,
    ...kindRecord(ctx, row, locale),
    phone: about || row.phone === null ? row.phone : maskPhone(row.phone),
    supplier: about && role === 'operator' ? row.supplier : null,
    state: row.state,
    price: toDecimal(row.price_micros),
    messages_count: row.sms_count,
    refunded: row.refunded,
    refundable: row.due_micros > 0n && !deleted ? toDecimal(row.due_micros) : null,
    created_at: row.created_at.toISOString(),
  }
}

function aboutFirst<Item extends { about: boolean }>(items: readonly Item[]): Item[] {
  return [...items.filter(({ about }) => about), ...items.filter(({ about }) => !about)]
}
