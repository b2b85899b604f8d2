import { untilWholeCent } from '#contract/formats/payment-terms.ts'
import type { ArrivedDeposit, KnownPayment, PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import type { Chain } from './chain.ts'
import { type FactRow, listFacts } from './queries/facts.ts'
import { findQuote } from './queries/quotes.ts'
import { findWatch } from './queries/watches.ts'

/** Reads a payment's state from our tables, without a request. Returns null if the payment was never started. */
export async function readChainFacts(chain: Chain, payment: KnownPayment): Promise<PaymentFacts | null> {
  const { ctx, gatewayId } = chain
  const { transactionId } = payment
  const rows = await listFacts(ctx.db, { gatewayId, transactionId })
  if (rows.length === 0 && (await findQuote(ctx.db, transactionId)) === null) return null
  const underWay = rows.filter(({ state, is_lost: isLost }) => !isLost && (state === 'seen' || state === 'waiting'))
  const isOver = payment.expiresAt <= ctx.clock.now()
  return {
    progress: underWay.length > 0 ? 'confirming' : isOver ? 'expired' : 'pending',
    deposits: depositsOf(rows),
    reversals: rows.flatMap(reversalOf),
    ...(underWay.length > 0 && { confirmations: await confirmationsOf(chain, underWay) }),
  }
}

function depositsOf(rows: readonly FactRow[]): ArrivedDeposit[] {
  const once = new Map(rows.map((row) => [row.id, row]))
  // The sender is not stored as the payer, because an exchange sends for thousands of people from one address.
  return [...once.values()].flatMap(({ id, tx_hash: hash, value_micros: amountMicros, ...row }) => {
    // A deposit that was lost before it was credited waits until a block contains it again.
    const isLost = row.is_lost && row.credited_micros === null
    return amountMicros === null || isLost ? [] : [{ providerId: nameOf(hash, id), amountMicros }]
  })
}

/** Reverses all that a lost deposit credited, including the rounding up to a whole cent of former versions. */
function reversalOf(row: FactRow): SeenReversal[] {
  const { id, tx_hash: hash, credited_micros: micros, loss_id: lossId, loss_state: state } = row
  // A deposit below one cent credited nothing, so there is nothing to reverse.
  if (lossId === null || state === null || micros === null || micros === 0n) return []
  const amountMicros = micros + untilWholeCent(micros)
  return [{ kind: 'dispute', providerId: `${nameOf(hash, id)}-${lossId}`, amountMicros, state }]
}

/**
 * Names a deposit by the transaction's hash, for staff, and by its id, because a transaction may have several
 * transfers.
 */
function nameOf(hash: string, id: bigint): string {
  return `${hash}-${id}`
}

async function confirmationsOf(
  { ctx, gatewayId, confirmations }: Chain,
  rows: readonly FactRow[],
): Promise<{ seen: number; needed: number }> {
  const watch = await findWatch(ctx.db, gatewayId)
  const head = watch?.head ?? 0n
  const depths = rows.map((row) => head - row.block_number + 1n)
  const least = depths.reduce((one, other) => (other < one ? other : one))
  const seen = least < 0n ? 0n : least > confirmations ? confirmations : least
  return { seen: Number(seen), needed: Number(confirmations) }
}
