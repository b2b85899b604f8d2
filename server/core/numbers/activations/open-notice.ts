import type { Context } from '#server/house/context.ts'
import { activationEnded, noNotice } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceChange } from './announce.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'
import { openNotices } from './queries/sms.ts'
import { isFinal } from './state.ts'

/**
 * Opens the closed notices of a waiting activation (messages of the service without a code, whose text is not shown
 * before payment). Captures the activation's price. Idempotent, because a buyer who has paid can read the notices
 * already. Throws NOT_FOUND, NO_NOTICE or ACTIVATION_ENDED.
 */
export async function openActivation(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  const query = { id: input.activationId, userId: input.userId }
  const opened = await openNotice(ctx, query)
  if (opened !== null) return opened
  const current = await findActivation(ctx.db, query)
  if (current === null) throw notFound()
  if (current.money === 'captured') return current
  throw isFinal(current.state) ? activationEnded() : noNotice()
}

/**
 * Captures the price of a waiting activation and opens its closed notices (SMS without a code, hidden until payment).
 * Returns null if the activation is not waiting or has no notice.
 */
export async function openNotice(ctx: Context, query: { id: number; userId: number }): Promise<ActivationRow | null> {
  const found = await findActivation(ctx.db, query)
  if (found?.state !== 'waiting' || found.notice_at === null) return null
  const opened = await openNotices(ctx.db, { ...query, now: ctx.clock.now() })
  if (opened !== null) ctx.background.run('announce', () => announceChange(ctx, opened))
  return opened
}
