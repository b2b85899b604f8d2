import type { OrderStatus } from '#server/adapters/five-sim/wire/words.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import type { RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { type Member, mayRead } from '#server/house/http/caller.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import { operatorSlug } from '#server/house/seed/slugs.ts'
import { amount, time } from '../answer.ts'
import { productOf } from '../hosting.ts'
import { namesOf } from '../names.ts'

export type Order = { kind: 'activation'; row: ActivationRow } | { kind: 'rental'; row: RentalRow }

const MESSAGES_SHOWN = 20

/**
 * Returns orders with their messages, oldest first. Messages that came after an order's end are left out, because
 * nobody paid for them.
 */
export async function orderRecords(ctx: Context, orders: readonly Order[]) {
  const [ofActivations, ofRentals] = await Promise.all([
    messagesOf(ctx, 'activation', orders),
    messagesOf(ctx, 'rental', orders),
  ])
  return orders.map((order) => {
    const found = (order.kind === 'activation' ? ofActivations : ofRentals).get(order.row.id) ?? []
    return orderRecord(ctx, order, found.filter(({ late }) => !late).toReversed())
  })
}

/** Makes the reply to a purchase or to the end of an order. An API key without the right to read gets no messages. */
export async function orderTold(ctx: Context, order: Order, buyer: Pick<Member, 'key'>) {
  if (!mayRead(buyer)) return orderRecord(ctx, order, [])
  return (await orderRecords(ctx, [order]))[0]
}

function messagesOf(ctx: Context, kind: Order['kind'], orders: readonly Order[]): Promise<Map<bigint, MessageRow[]>> {
  const numbers = orders.filter((order) => order.kind === kind).map(({ row }) => row)
  return listMessages(ctx.db, kind, { numbers, perNumber: MESSAGES_SHOWN })
}

/** Returns an order in 5sim's form. `messages` is null for an order that has just been bought. */
export function orderRecord(ctx: Context, { kind, row }: Order, messages: readonly MessageRow[] | null) {
  const names = namesOf(catalogOf(ctx))
  return {
    id: Number(row.id),
    phone: `+${row.phone}`,
    operator: operatorSlug(row.operator ?? ''),
    product: kind === 'activation' ? names.productOf(row.service_code) : productOf(row.hours),
    price: amount(row.price_micros),
    status: statusOf(row),
    expires: time(row.expires_at),
    sms:
      messages?.map((message) => ({
        ...(kind === 'rental' && { id: Number(message.id) }),
        ...messageRecord(message),
      })) ?? null,
    created_at: time(row.created_at),
    forwarding: false,
    forwarding_number: '',
    country: names.slugOf(row.country_id),
    ...sandboxMark(ctx),
  }
}

const BELOW_MILLISECOND = 1_000_000n

/** Returns a message in 5sim's form. Programs tell messages apart by time, so the id sets the digits below the ms. */
export function messageRecord({ id, sender, body, code, received_at: receivedAt }: MessageRow) {
  const at = time(receivedAt, id % BELOW_MILLISECOND)
  return { created_at: at, date: at, sender, text: body ?? '', code: code ?? '' }
}

/** Returns RECEIVED only after a message, because some programs then stop waiting (5sim sends it before a message). */
function statusOf({ state, sms_count: count }: Order['row']): OrderStatus {
  switch (state) {
    case 'reserving':
    case 'waiting':
    case 'received':
    case 'waiting_again':
    case 'active':
      return count > 0 ? 'RECEIVED' : 'PENDING'
    case 'finished':
      return 'FINISHED'
    case 'expired':
      return 'TIMEOUT'
    case 'used':
      return 'BANNED'
    case 'cancelled':
    case 'revoked':
    case 'failed':
      return 'CANCELED'
    default:
      return state satisfies never
  }
}
