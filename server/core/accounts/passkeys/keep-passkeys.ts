import type { Passkey } from '#contract/passkeys/passkeys.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { listPasskeys } from '#server/core/accounts/ways-in/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { waysIn } from '#server/core/accounts/ways-in/ways-in.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { lastWayIn, notFound } from '#server/house/errors/errors.ts'
import { deletePasskey, renamePasskey } from './queries.ts'
import { tellOwner } from './tell-owner.ts'

export async function listOwnPasskeys(ctx: Context, userId: number): Promise<Passkey[]> {
  const rows = await listPasskeys(ctx.db, userId)
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    host: row.rp_id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
}

const ID_PATTERN = /^\d{1,9}$/

function readId(id: string): number {
  if (!ID_PATTERN.test(id)) throw notFound()
  return Number(id)
}

/** Renames a passkey. Throws NOT_FOUND, also for another user's passkey. */
export async function nameOwnPasskey(
  ctx: Context,
  { userId }: SignedIn,
  input: { id: string; name: string },
): Promise<void> {
  if (!(await renamePasskey(ctx.db, { id: readId(input.id), userId, name: input.name }))) throw notFound()
}

/** Removes a passkey. Throws LAST_WAY_IN, CONFIRM_PASSWORD, and NOT_FOUND also for another user's passkey. */
export async function removePasskey(
  ctx: Context,
  signedIn: SignedIn,
  input: { id: string; address: string },
): Promise<void> {
  await requireConfirmed(ctx, signedIn)
  const { userId } = signedIn
  const id = readId(input.id)
  await transaction(ctx.db, async (tx) => {
    const ways = await waysIn(ctx, tx, userId)
    const removed = (await listPasskeys(tx, userId)).find((key) => key.id === id)
    if (removed === undefined) throw notFound()
    const others = ways.passkeys.filter((key) => key.id !== id)
    if (!ways.password && ways.profiles.length === 0 && others.length === 0) throw lastWayIn()
    await deletePasskey(tx, { id, userId })
    await tellOwner(ctx, tx, userId, { kind: 'passkey-removed', name: removed.name })
  })
  logAccountEvent(ctx, { event: 'passkey-removed', userId, address: input.address })
}
