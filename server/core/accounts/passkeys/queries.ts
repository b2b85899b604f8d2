import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { passkeyTaken } from '#server/house/errors/errors.ts'

export type ChallengePurpose = 'add' | 'sign-in' | 'second-factor' | 'confirm'

export type ChallengeKey = {
  hash: Buffer
  browserHash: Buffer
  purpose: ChallengePurpose
  userId: number | null
}

export async function insertChallenge(
  db: Db,
  input: ChallengeKey & { handle: Buffer | null; expiresAt: Date },
): Promise<void> {
  await db.query({
    name: 'passkey-challenge-insert',
    text: `INSERT INTO passkey_challenges (hash, browser_hash, purpose, user_id, handle, expires_at)
      VALUES ($hash, $browserHash, $purpose, $userId, $handle, $expiresAt)`,
    values: input,
  })
}

/** Takes and deletes a passkey challenge. Returns null unless this browser and user requested it for this purpose. */
export async function takeChallenge(
  db: Db,
  input: ChallengeKey & { now: Date },
): Promise<{ handle: Buffer | null } | null> {
  const { rows } = await db.query<{ handle: Buffer | null }>({
    name: 'passkey-challenge-take',
    text: `DELETE FROM passkey_challenges WHERE hash = $hash AND browser_hash = $browserHash AND purpose = $purpose
      AND user_id IS NOT DISTINCT FROM $userId AND expires_at > $now RETURNING handle`,
    values: input,
  })
  return rows[0] ?? null
}

export type NewPasskeyRow = {
  userId: number
  credentialId: Buffer
  publicKey: Buffer
  handle: Buffer
  counter: number
  transports: string[]
  rpId: string
  name: string
  now: Date
}

export async function insertPasskey(db: Db, input: NewPasskeyRow): Promise<void> {
  try {
    await db.query({
      name: 'passkey-insert',
      text: `INSERT INTO passkeys (user_id, credential_id, public_key, handle, counter, transports, rp_id, name, created_at)
        VALUES ($userId, $credentialId, $publicKey, $handle, $counter, $transports, $rpId, $name, $now)`,
      values: input,
    })
  } catch (error) {
    if (isUniqueViolation(error, 'passkeys_credential')) throw passkeyTaken()
    throw error
  }
}

export type StoredKey = {
  id: number
  user_id: number
  public_key: Buffer
  counter: bigint
  rp_id: string
}

export async function findPasskey(db: Db, credentialId: Buffer): Promise<StoredKey | null> {
  const { rows } = await db.query<StoredKey>({
    name: 'passkey-find',
    text: `SELECT p.id, p.user_id, p.public_key, p.counter, p.rp_id
      FROM passkeys p WHERE p.credential_id = $1`,
    values: [credentialId],
  })
  return rows[0] ?? null
}

/**
 * Records a use of a passkey. Returns false if the passkey is gone, or if its signature counter went back, which
 * suggests a clone. A counter that stays zero is accepted.
 */
export async function noteUse(db: Db, input: { id: number; counter: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'passkey-note-use',
    text: `UPDATE passkeys SET counter = $2, last_used_at = $3
      WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    values: [input.id, input.counter, input.now],
  })
  return rowCount === 1
}

export async function renamePasskey(db: Db, input: { id: number; userId: number; name: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'passkey-rename',
    text: 'UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2',
    values: [input.id, input.userId, input.name],
  })
  return rowCount === 1
}

export async function deletePasskey(db: Db, input: { id: number; userId: number }): Promise<void> {
  await db.query({
    name: 'passkey-delete',
    text: 'DELETE FROM passkeys WHERE id = $1 AND user_id = $2',
    values: [input.id, input.userId],
  })
}

export async function deletePasskeysOf(db: Db, userId: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: 'DELETE FROM passkeys WHERE user_id = $1 RETURNING name',
    values: [userId],
  })
  return rows.map(({ name }) => name)
}
