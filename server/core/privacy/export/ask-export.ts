import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { exportOnceADay } from '#server/house/errors/errors.ts'
import { type ExportRow, insertExport } from './queries.ts'

/** Requests an export of the user's data, which a job makes. Throws CONFIRM_PASSWORD, EXPORT_ONCE_A_DAY. */
export async function askExport(
  ctx: Context,
  signedIn: SignedIn,
  { address }: { address: string },
): Promise<ExportRow> {
  await requireConfirmed(ctx, signedIn)
  const row = await insertExport(ctx.db, { userId: signedIn.userId, now: ctx.clock.now() })
  if (row === null) throw exportOnceADay()
  logAccountEvent(ctx, { event: 'data-asked-for', userId: signedIn.userId, address })
  return row
}
