import { toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import { findRefundByKey, findSameRefund, storeRefundKey } from '#server/core/payments/queries/refund-keys.ts'
import type { Db } from '#server/house/db/pool.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import type { Change } from '#server/programs/cli/change.ts'
import { type Arguments, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import type { PaymentSheet } from '#server/programs/cli/queries/payments.ts'

export const AGAIN = 'again'
const KEY_PATTERN = /^[\x21-\x7e]{1,100}$/
/** The time in which a refund of the same amount counts as a repeat, because staff retype after a lost connection. */
const SAME_MINUTES = 30

/** A refund as typed. `wished` is its amount; null means all that is left. */
type Typed = { paymentId: bigint; wished: bigint | null; key: string | null }

const hashOf = ({ paymentId, wished }: Typed) => hashParts([paymentId.toString(), wished?.toString() ?? null])

export function readKey(key: string | undefined): string | null {
  if (key === undefined) return null
  if (!KEY_PATTERN.test(key)) throw new WrongUsage('--key is 1 to 100 printable characters without spaces')
  return key
}

/**
 * Returns the refund that was made with the typed idempotency key, or null if there is none. Throws CommandRefused if
 * that refund had other parameters.
 */
export async function repeatOf(tx: Db, typed: Typed): Promise<Change | null> {
  if (typed.key === null) return null
  const earlier = await findRefundByKey(tx, typed.key)
  if (earlier === null) return null
  const { id, payment_id: paymentId, state, amount_micros: micros } = earlier
  const amount = toDecimal(micros)
  if (earlier.input_hash !== hashOf(typed)) {
    throw new CommandRefused(
      `This key was used to pay back ${amount} of payment ${paymentId}: nothing was done, take another key`,
    )
  }
  const says = `The key ${typed.key} was used before, nothing more is paid back: ${amount} of payment ${paymentId}, ${state}.`
  return { subject: `payment:${paymentId}`, detail: { amount, reversal: Number(id), state }, says, unchanged: true }
}

export async function keepKey(tx: Db, { id, ...typed }: Typed & { id: bigint }): Promise<void> {
  if (typed.key === null) return
  if (await storeRefundKey(tx, { id, key: typed.key, inputHash: hashOf(typed) })) return
  throw new CommandRefused('The same key was used at this very moment: run the command again to see what it did')
}

/**
 * Refuses a second refund of an equal amount without an idempotency key, because it was most likely typed twice. The
 * caller must hold the payment's lock.
 */
export async function refuseSame(
  tx: Db,
  given: Arguments,
  { payment, amountMicros, now }: { payment: PaymentSheet; amountMicros: bigint; now: Date },
): Promise<void> {
  if (given.switches.has(AGAIN)) return
  const since = new Date(now.getTime() - SAME_MINUTES * MINUTE)
  const earlier = await findSameRefund(tx, { paymentId: payment.id, amountMicros, since })
  if (earlier === null) return
  const what = `${toDecimal(amountMicros)} ${payment.currency} of payment ${payment.id}`
  const when = `at ${earlier.at.toISOString()} (refund ${earlier.id}, ${earlier.state})`
  throw new CommandRefused(
    `${what} was paid back ${when}. Nothing was changed: add --${AGAIN} to pay back as much once more`,
  )
}
