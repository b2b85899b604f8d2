import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { type TwoFactorRow, takeRecoveryCode, takeStep } from './queries.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { openSecret } from './secret.ts'
import { stepOfCode } from './totp.ts'

/**
 * Takes a code of the app or a recovery code of somebody whose two-factor is on. Each is good once, also when it comes
 * twice at the same time. Returns whether it was. A recovery code is logged: a thief's use of one is seen.
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
  const step = await stepOfCode(secret, digits, ctx.clock.wall())
  if (step !== null) return takeStep(db, { userId, step })
  const taken = await takeRecoveryCode(db, { userId, hash: hashRecoveryCode(secret, code) })
  if (taken) logAccountEvent(ctx, { event: 'recovery-code-used', userId, address })
  return taken
}
