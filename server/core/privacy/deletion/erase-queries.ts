import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { RETENTION } from '#server/house/jobs/retention/rules.ts'

const GONE = Object.entries(RETENTION).flatMap(([table, { person }]) => (person === 'gone' ? [table] : []))

/** Erases everything that identifies a user, and may be repeated. The caller must still know the mail address. */
export async function erasePerson(tx: Db, input: { userId: number; email: string | null; now: Date }): Promise<void> {
  for (const table of GONE) {
    await tx.query({ text: `DELETE FROM ${table} WHERE user_id = $1`, values: [input.userId], limitMs: SLOW_LIMIT_MS })
  }
  if (input.email !== null) {
    for (const [table, column] of [
      ['password_resets', 'email'],
      ['registrations', 'email'],
      ['demo_mails', 'recipient'],
    ]) {
      await tx.query({ text: `DELETE FROM ${table} WHERE lower(${column}) = lower($1)`, values: [input.email] })
    }
  }
  // The statement deletes files outside messages; those in messages are deleted with their tickets.
  await tx.query({
    text: 'DELETE FROM support_files WHERE user_id = $1 AND message_id IS NULL',
    values: [input.userId],
  })
  await tx.query({
    text: `UPDATE audit_log SET detail = detail - 'email' WHERE subject = 'user:' || $1::integer AND detail ? 'email'`,
    values: [input.userId],
    limitMs: SLOW_LIMIT_MS,
  })
  await tx.query({
    name: 'erase-user',
    text: `UPDATE users SET email = NULL, name = '', password_hash = NULL, settings = '{}', utm = '{}', email_verified_at = NULL,
        signed_in_at = NULL, blocked_at = COALESCE(blocked_at, $now), signed_out_at = $now, erased_at = COALESCE(erased_at, $now)
      WHERE id = $userId`,
    values: { userId: input.userId, now: input.now },
  })
}

/**
 * Refuses the account's pending referral shares (rewards for what invited users pay) and prevents new ones. The account
 * must be locked.
 */
export async function endShares(tx: Db, input: { userId: number; now: Date }): Promise<void> {
  await tx.query({
    name: 'erase-shares',
    text: `WITH refused AS (
        UPDATE referral_shares s SET state = 'refused', due_micros = 0, look_at = NULL
        FROM (SELECT id, invited_id, due_micros FROM referral_shares WHERE user_id = $userId AND state = 'pending' FOR UPDATE) due
        WHERE s.id = due.id RETURNING due.invited_id, due.due_micros AS micros
      )
      UPDATE referral_invitations i SET state = 'barred', changed_at = $now,
        due_micros = due_micros - COALESCE((SELECT sum(micros) FROM refused r WHERE r.invited_id = i.invited_id), 0)
      WHERE i.user_id = $userId`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Erases texts and codes of the user's SMS. Returns the number of changed rows; below `limit`, all SMS are erased. */
export async function eraseMessages(db: Db, input: { userId: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'erase-messages',
    text: `UPDATE messages SET body = NULL, code = NULL WHERE id IN (
      SELECT m.id FROM activations a JOIN messages m ON m.activation_id = a.id
        WHERE a.user_id = $userId AND (m.body IS NOT NULL OR m.code IS NOT NULL)
      UNION ALL
      SELECT m.id FROM rentals r JOIN messages m ON m.rental_id = r.id
        WHERE r.user_id = $userId AND (m.body IS NOT NULL OR m.code IS NOT NULL)
      LIMIT $limit)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/** Erases the SMS codes that the user's activations or rentals also contain. Returns the number of changed rows. */
export async function eraseCodes(
  db: Db,
  input: { table: 'activations' | 'rentals'; userId: number; limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    text: `UPDATE ${input.table} SET code = NULL WHERE id IN (
      SELECT id FROM ${input.table} WHERE user_id = $userId AND code IS NOT NULL LIMIT $limit)`,
    values: { userId: input.userId, limit: input.limit },
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

export async function eraseOrigins(db: Db, input: { userId: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'erase-origins',
    text: `UPDATE payments SET network = NULL, press = NULL WHERE id IN (
      SELECT id FROM payments WHERE user_id = $userId AND (network IS NOT NULL OR press IS NOT NULL) LIMIT $limit)`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}
