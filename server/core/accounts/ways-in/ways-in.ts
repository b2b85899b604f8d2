import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isHostConfigured } from './passkey-site.ts'
import { type IdentityRow, listIdentities, listPasskeys, lockPasswordWay, type PasskeyRow } from './queries.ts'

export type WaysIn = { password: boolean; profiles: IdentityRow[]; passkeys: PasskeyRow[] }

/**
 * Returns the user's ways to sign in, without those whose provider or host is no longer set up. Locks the user's row,
 * so that two concurrent removals cannot take the last two.
 */
export async function waysIn(ctx: Context, tx: Db, userId: number): Promise<WaysIn> {
  const password = await lockPasswordWay(tx, userId)
  const profiles = await listIdentities(tx, userId)
  const passkeys = await listPasskeys(tx, userId)
  return {
    password,
    profiles: profiles.filter(({ provider }) => ctx.secrets.providers[provider] !== undefined),
    passkeys: passkeys.filter((key) => isHostConfigured(ctx, key.rp_id)),
  }
}
