import type { Provider } from '#contract/account.ts'
import type { Db } from '#server/house/db/pool.ts'

export type PasskeyRow = {
  id: number
  credential_id: Buffer
  handle: Buffer
  rp_id: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

export async function listPasskeys(db: Db, userId: number): Promise<PasskeyRow[]> {
  const { rows } = await db.query<PasskeyRow>({
    name: 'passkeys-list',
    text: `SELECT id, credential_id, handle, rp_id, name, created_at, last_used_at FROM passkeys
      WHERE user_id = $1 ORDER BY id`,
    values: [userId],
  })
  return rows
}

export async function hasPasskey(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'passkeys-has',
    text: 'SELECT EXISTS (SELECT FROM passkeys WHERE user_id = $1) AS has',
    values: [userId],
  })
  return rows[0]?.has ?? false
}

export type Sealed = Record<string, unknown>

export type TwoFactorRow = { user_id: number; secret: Sealed; confirmed_at: Date | null; created_at: Date }

export async function findTwoFactor(db: Db, userId: number): Promise<TwoFactorRow | null> {
  const { rows } = await db.query<TwoFactorRow>({
    name: 'two-factor-find',
    text: 'SELECT user_id, secret, confirmed_at, created_at FROM two_factor WHERE user_id = $1',
    values: [userId],
  })
  return rows[0] ?? null
}

export async function isTwoFactorOn(db: Db, userId: number): Promise<boolean> {
  return (await findTwoFactor(db, userId))?.confirmed_at instanceof Date
}

export type IdentityRow = { provider: Provider; name: string; linked_at: Date }

export async function listIdentities(db: Db, userId: number): Promise<IdentityRow[]> {
  const { rows } = await db.query<IdentityRow>({
    name: 'identities-list',
    text: 'SELECT provider, name, linked_at FROM identities WHERE user_id = $1',
    values: [userId],
  })
  return rows
}

/**
 * Returns true if the user can sign in by password. Locks the user's row, so that two concurrent removals cannot take
 * the last two ways to sign in.
 */
export async function lockPasswordWay(tx: Db, userId: number): Promise<boolean> {
  const { rows } = await tx.query<{ able: boolean }>({
    name: 'identity-lock-user',
    text: `SELECT password_hash IS NOT NULL AND email IS NOT NULL AS able FROM users WHERE id = $1 FOR NO KEY UPDATE`,
    values: [userId],
  })
  return rows[0]?.able ?? false
}
