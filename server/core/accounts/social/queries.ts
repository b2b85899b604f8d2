import type { Provider } from '#contract/account.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { identityTaken } from '#server/house/errors/errors.ts'

export type AuthRequestKey = {
  stateHash: Buffer
  browserHash: Buffer
  provider: Provider
  userId: number | null
}

export async function insertAuthRequest(
  db: Db,
  input: AuthRequestKey & { sealed: Record<string, unknown>; expiresAt: Date },
): Promise<void> {
  await db.query({
    name: 'auth-request-insert',
    text: `INSERT INTO auth_requests (state_hash, browser_hash, provider, user_id, sealed, expires_at)
      VALUES ($stateHash, $browserHash, $provider, $userId, $sealed, $expiresAt)`,
    values: { ...input, sealed: JSON.stringify(input.sealed) },
  })
}

/**
 * Deletes a request begun at a provider. Returns null unless browser, provider and user match, so that a stolen `state`
 * cannot use up the request.
 */
export async function takeAuthRequest(
  db: Db,
  input: AuthRequestKey & { now: Date },
): Promise<Record<string, unknown> | null> {
  const { rows } = await db.query<{ sealed: Record<string, unknown> }>({
    name: 'auth-request-take',
    text: `DELETE FROM auth_requests WHERE state_hash = $stateHash AND browser_hash = $browserHash AND provider = $provider
      AND user_id IS NOT DISTINCT FROM $userId AND expires_at > $now RETURNING sealed`,
    values: input,
  })
  return rows[0]?.sealed ?? null
}

export type IdentityOwner = { userId: number }

export async function findIdentityOwner(
  db: Db,
  input: { provider: Provider; subject: string },
): Promise<IdentityOwner | null> {
  const { rows } = await db.query<{ user_id: number }>({
    name: 'identity-owner',
    text: 'SELECT user_id FROM identities WHERE provider = $1 AND subject = $2',
    values: [input.provider, input.subject],
  })
  const row = rows[0]
  return row === undefined ? null : { userId: row.user_id }
}

/** Links a profile in place of an earlier one. Returns false if it was already linked. Throws IDENTITY_TAKEN. */
export async function putIdentity(
  db: Db,
  input: { userId: number; provider: Provider; subject: string; name: string; now: Date },
): Promise<boolean> {
  try {
    const { rows } = await db.query<{ subject: string | null }>({
      name: 'identity-put',
      text: `WITH earlier AS (SELECT subject FROM identities WHERE user_id = $userId AND provider = $provider)
        INSERT INTO identities (user_id, provider, subject, name, linked_at)
          VALUES ($userId, $provider, $subject, $name, $now)
        ON CONFLICT ON CONSTRAINT identities_one_of_each DO UPDATE SET name = excluded.name, subject = excluded.subject,
          linked_at = CASE WHEN identities.subject = excluded.subject THEN identities.linked_at ELSE excluded.linked_at END
        RETURNING (SELECT subject FROM earlier) AS subject`,
      values: input,
    })
    return rows[0]?.subject !== input.subject
  } catch (error) {
    if (isUniqueViolation(error, 'identities_profile')) throw identityTaken()
    throw error
  }
}

export async function deleteIdentity(db: Db, input: { userId: number; provider: Provider }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'identity-delete',
    text: 'DELETE FROM identities WHERE user_id = $1 AND provider = $2',
    values: [input.userId, input.provider],
  })
  return rowCount === 1
}
