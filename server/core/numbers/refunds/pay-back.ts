import { notify } from '#server/core/notifications/notify.ts'
import { finish } from '#server/core/numbers/activations/queries/end.ts'
import type { OrderKind } from '#server/core/numbers/listing/queries/happenings.ts'
import { finishRented } from '#server/core/numbers/rentals/queries/end.ts'
import { releaseExtension } from '#server/core/numbers/rentals/queries/extend.ts'
import { raiseHook } from '#server/core/webhooks/queries/raise.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { type Refund, refundActivation } from '#server/house/money/refund.ts'
import { type RefundedCharges, refundCharges } from '#server/house/money/refund-charges.ts'
import { findTold, keepsMoney, lockRental, rentalOfCharge } from './queries/pay-back.ts'

export type Order = { kind: OrderKind | 'charge'; id: bigint }

type PaidBack = Extract<Refund, { outcome: 'refunded' }> & { charges?: bigint[] }
/** `nobody` means that the buyer's account was deleted, so the caller must roll back. */
type NotPaidBack = Exclude<Refund, { outcome: 'refunded' }> | { outcome: 'nobody' }

/**
 * Refunds an order in full and only once, ends the order and notifies the buyer, in the caller's transaction. The
 * notification links to `link`, or to the history if `link` is null.
 */
export async function payBack(
  tx: Db,
  input: { order: Order; link: string | null; now: Date },
): Promise<NotPaidBack | PaidBack> {
  const { order, link, now } = input
  if (order.kind !== 'activation') return payBackCharges(tx, { ...input, of: chargesOf(order) })
  const refund = await refundActivation(tx, { activationId: order.id, at: now })
  if (refund.outcome !== 'refunded') return refund
  await finish(tx, { id: order.id, now })
  const news = {
    order: { kind: 'activation', id: order.id },
    refund,
    link,
    now,
    cause: `activation:${order.id}`,
  } as const
  return (await tell(tx, news)) ? refund : { outcome: 'nobody' }
}

async function payBackCharges(
  tx: Db,
  { of, link, now }: { of: RefundedCharges; link: string | null; now: Date },
): Promise<NotPaidBack | PaidBack> {
  const rentalId = 'rentalId' in of ? of.rentalId : await rentalOfCharge(tx, of.chargeId)
  // The rental is locked before its charges and the account; every statement uses this sequence. So no message or
  // extension can come in between.
  const rental = rentalId === null ? null : await lockRental(tx, rentalId)
  const refund = await refundCharges(tx, { of, at: now })
  if (refund.outcome !== 'refunded' || rental === null) return refund
  const { id, extension_id: chargeId } = rental
  if (!(await keepsMoney(tx, id))) {
    // The supplier may still grant the extension. A job queries the supplier, and we bear the cost of a late grant.
    if (chargeId !== null) await releaseExtension(tx, { rentalId: id, chargeId, nodeId: null, now, abandon: true })
    await finishRented(tx, { id, now })
  }
  const cause = `charge:${refund.chargeIds.join(',')}`
  if (!(await tell(tx, { order: { kind: 'rental', id }, refund, link, now, cause }))) return { outcome: 'nobody' }
  const account = await findAccount(tx, refund.userId)
  const { availableMicros } = account ?? refund
  return { ...refund, availableMicros, charges: refund.chargeIds }
}

function chargesOf({ kind, id }: Order): RefundedCharges {
  return kind === 'charge' ? { chargeId: id } : { rentalId: id }
}

type News = { order: { kind: OrderKind; id: bigint }; refund: PaidBack; link: string | null; now: Date; cause: string }

/** Notifies the buyer; false for a deleted account. The refund's lock lets no deletion come in between. */
async function tell(tx: Db, { order, refund, link, now, cause }: News): Promise<boolean> {
  const told = await findTold(tx, order)
  if (told === null) return false
  const { amountMicros, currency, userId } = refund
  const number = { serviceCode: told.service_code, countryId: told.country_id, phone: told.phone }
  const details = { amountMicros: amountMicros.toString(), currency, ...number }
  const inHistory = `/history?mode=${order.kind === 'rental' ? 'rent' : 'activation'}&search=${told.phone ?? order.id}`
  const dedupeKey = `refund:${cause}`
  await notify(tx, { userId, kind: 'refunded', details, link: link ?? inHistory, dedupeKey }, now)
  await raiseHook(tx, {
    userId,
    event: 'order.refunded',
    subject: `${order.kind}:${order.id}`,
    now,
    details: {
      order: order.kind,
      id: Number(order.id),
      service_id: told.service_code,
      country_id: told.country_id,
      phone: told.phone,
      amount_micros: amountMicros.toString(),
      currency,
    },
  })
  return true
}
