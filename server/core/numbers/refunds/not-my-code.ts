import { announceChange } from '#server/core/numbers/activations/announce.ts'
import {
  findCharge,
  insertNotMine,
  isReportFree,
  lockOrder,
} from '#server/core/numbers/activations/queries/not-mine.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { learnReported } from '#server/core/numbers/messages/learn-senders.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { activationEnded, noCodeYet, tooManyReports } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { payBack } from './pay-back.ts'

/**
 * Refunds and ends an order whose buyer reports that the message that was charged was no code of the service. Works
 * once per order, within the limits of `config.usedReports`. Idempotent. Throws NOT_FOUND, NO_CODE_YET,
 * ACTIVATION_ENDED or TOO_MANY_REPORTS.
 */
export async function reportNotMyCode(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  const query = { id: input.activationId, userId: input.userId }
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const order = await lockOrder(tx, query)
    if (order === null) throw notFound()
    const { messageId, sender, given, reported } = await findCharge(tx, order.id)
    if (reported) return
    // A buyer who pays to open a notice knows that it is no code. A refund would make the notice's text free.
    if (order.state === 'waiting' || order.state === 'reserving' || given === 'opened') throw noCodeYet()
    if (messageId === null || (order.state !== 'received' && order.state !== 'waiting_again')) throw activationEnded()
    if (!(await isReportFree(tx, { ...order, ...ctx.config.usedReports, now }))) throw tooManyReports()
    const refund = await payBack(tx, { order: { kind: 'activation', id: order.id }, link: null, now })
    if (refund.outcome !== 'refunded') throw activationEnded()
    await insertNotMine(tx, { id: order.id, messageId, now })
    await learnReported(ctx, tx, { sender: sender ?? '', now })
  })
  const row = await findActivation(ctx.db, query)
  if (row === null) throw notFound()
  ctx.background.run('announce', () => announceChange(ctx, row))
  return row
}
