import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { TwoFactorRow } from '#server/core/accounts/ways-in/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { takeRecoveryCode, takeStep } from './queries.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { openSecret } from './secret.ts'
import { newestStep, stepOfCode } from './totp.ts'

/**
 * Accepts each second-factor code once, even concurrently. A used recovery code is logged, so that a theft is noticed.
 */
export async function acceptCode(
  ctx: Context,
  db: Db,
  row: TwoFactorRow,
  { code, address }: { code: string; address: string },
): Promise<boolean> {
  const userId = row.user_id
  const secret = openSecret(ctx, row.secret)
  const digits = code.replaceAll(' ', '')
  const now = ctx.clock.wall()
  const step = await stepOfCode(secret, digits, now)
  if (step !== null) return takeStep(db, { userId, step, newest: newestStep(now) })
  const taken = await takeRecoveryCode(db, { userId, hash: hashRecoveryCode(secret, code) })
  if (taken) logAccountEvent(ctx, { event: 'recovery-code-used', userId, address })
  return taken
}
