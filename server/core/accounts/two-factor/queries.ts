import type { Sealed } from '#server/core/accounts/ways-in/queries.ts'
import type { Db } from '#server/house/db/pool.ts'

export async function beginSetUp(db: Db, input: { userId: number; secret: Sealed; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `INSERT INTO two_factor (user_id, secret, created_at) VALUES ($1, $2, $3)
      ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = 0
      WHERE two_factor.confirmed_at IS NULL`,
    values: [input.userId, JSON.stringify(input.secret), input.now],
  })
  return rowCount === 1
}

/**
 * Turns the second factor on. `step` is the time step of the confirming code. Returns false if two-factor is already on
 * or the secret was replaced.
 */
export async function confirmSetUp(
  db: Db,
  input: { userId: number; secret: Sealed; step: bigint; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'two-factor-confirm',
    text: `UPDATE two_factor SET confirmed_at = $now, last_step = $step
      WHERE user_id = $userId AND secret = $secret AND confirmed_at IS NULL`,
    values: { ...input, secret: JSON.stringify(input.secret) },
  })
  return rowCount === 1
}

/**
 * Marks a time step as used. Returns false if this step, or a later one, was used before. A stored step beyond `newest`
 * comes from a clock that was ahead. It is reset to `newest`, so that used codes stay refused and the next ones work.
 */
export async function takeStep(db: Db, input: { userId: number; step: bigint; newest: bigint }): Promise<boolean> {
  const { rows } = await db.query<{ is_taken: boolean }>({
    name: 'two-factor-take-step',
    text: `UPDATE two_factor t SET last_step = CASE WHEN was.last_step < $step THEN $step::bigint ELSE $newest END
      FROM (SELECT user_id, last_step FROM two_factor WHERE user_id = $userId AND confirmed_at IS NOT NULL FOR UPDATE) was
      WHERE t.user_id = was.user_id AND (was.last_step < $step OR was.last_step > $newest)
      RETURNING was.last_step < $step AS is_taken`,
    values: input,
  })
  return rows[0]?.is_taken ?? false
}

export async function takeRecoveryCode(db: Db, input: { userId: number; hash: Buffer }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2',
    values: [input.userId, input.hash],
  })
  return rowCount === 1
}

export async function replaceRecoveryCodes(tx: Db, input: { userId: number; hashes: Buffer[] }): Promise<void> {
  await tx.query({ text: 'DELETE FROM recovery_codes WHERE user_id = $1', values: [input.userId] })
  await tx.query({
    text: 'INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])',
    values: [input.userId, input.hashes],
  })
}

export async function deleteTwoFactor(db: Db, userId: number): Promise<void> {
  await db.query({ text: 'DELETE FROM two_factor WHERE user_id = $1', values: [userId] })
}

export async function findTwoFactorState(db: Db, userId: number): Promise<{ on: boolean; recoveryCodesLeft: number }> {
  const { rows } = await db.query<{ is_on: boolean; codes: number }>({
    text: `SELECT EXISTS (SELECT FROM two_factor WHERE user_id = $1 AND confirmed_at IS NOT NULL) AS is_on,
      (SELECT count(*)::integer FROM recovery_codes WHERE user_id = $1) AS codes`,
    values: [userId],
  })
  return { on: rows[0]?.is_on ?? false, recoveryCodesLeft: rows[0]?.codes ?? 0 }
}

export async function insertPendingLogin(
  db: Db,
  input: { hash: Buffer; userId: number; expiresAt: Date },
): Promise<void> {
  await db.query({
    text: 'INSERT INTO pending_logins (hash, user_id, expires_at) VALUES ($1, $2, $3)',
    values: [input.hash, input.userId, input.expiresAt],
  })
}

export async function findPendingLogin(db: Db, input: { hash: Buffer; now: Date }): Promise<number | null> {
  const { rows } = await db.query<{ user_id: number }>({
    text: 'SELECT user_id FROM pending_logins WHERE hash = $1 AND expires_at > $2',
    values: [input.hash, input.now],
  })
  return rows[0]?.user_id ?? null
}

export async function takePendingLogin(db: Db, input: { hash: Buffer; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'DELETE FROM pending_logins WHERE hash = $1 AND expires_at > $2',
    values: [input.hash, input.now],
  })
  return rowCount === 1
}

export async function listTwoFactor(
  db: Db,
  input: { after: number; limit: number },
): Promise<{ user_id: number; secret: Sealed }[]> {
  const { rows } = await db.query<{ user_id: number; secret: Sealed }>({
    text: 'SELECT user_id, secret FROM two_factor WHERE user_id > $1 ORDER BY user_id LIMIT $2',
    values: [input.after, input.limit],
  })
  return rows
}

export async function resealSecret(
  db: Db,
  input: { user_id: number; secret: Sealed; fresh: Sealed },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'UPDATE two_factor SET secret = $3 WHERE user_id = $1 AND secret = $2',
    values: [input.user_id, JSON.stringify(input.secret), JSON.stringify(input.fresh)],
  })
  return rowCount === 1
}
