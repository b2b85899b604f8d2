import type { Db } from '#server/db/pool.ts'
import type { CodeTimes } from '#server/features/emails/code.ts'
import { CODE_MAX_TRIES } from '#server/features/emails/code.ts'

/** Replaces what was registered before with this address, its code included. `email` in lower case, here and below. */
export async function replaceRegistration(
  db: Db,
  input: { email: string; passwordHash: string; referrerId: number | null; codeHash: Buffer; times: CodeTimes },
): Promise<void> {
  const { now, expiresAt, waitsUntil } = input.times
  await db.query({
    name: 'registration-replace',
    text: `INSERT INTO registrations
        (email, password_hash, referrer_id, code_hash, code_tries, code_sent_at, code_expires_at, expires_at)
      VALUES ($1, $2, $3, $4, 0, $5, $6, $7)
      ON CONFLICT (email) DO UPDATE SET password_hash = $2, referrer_id = $3, code_hash = $4, code_tries = 0,
        code_sent_at = $5, code_expires_at = $6, expires_at = $7`,
    values: [input.email, input.passwordHash, input.referrerId, input.codeHash, now, expiresAt, waitsUntil],
  })
}

/** Puts a new code in place of the old one. false: nothing waits for this address, or a code has just been sent. */
export async function renewRegistrationCode(
  db: Db,
  input: { email: string; codeHash: Buffer; times: CodeTimes },
): Promise<boolean> {
  const { now, expiresAt, waitsUntil, cooldownSince } = input.times
  const { rowCount } = await db.query({
    name: 'registration-renew-code',
    text: `UPDATE registrations SET code_hash = $2, code_tries = 0, code_sent_at = $3, code_expires_at = $4, expires_at = $5
      WHERE email = $1 AND expires_at > $3 AND code_sent_at <= $6`,
    values: [input.email, input.codeHash, now, expiresAt, waitsUntil, cooldownSince],
  })
  return rowCount === 1
}

export type Registration = { password_hash: string; referrer_id: number | null; code_hash: Buffer }

/** Counts a try, and locks the row until the transaction ends. null: no code of this address is good any more. */
export async function takeRegistrationTry(tx: Db, input: { email: string; now: Date }): Promise<Registration | null> {
  const { rows } = await tx.query<Registration>({
    name: 'registration-take-try',
    text: `UPDATE registrations SET code_tries = code_tries + 1
      WHERE email = $1 AND code_tries < $3 AND code_expires_at > $2
      RETURNING password_hash, referrer_id, code_hash`,
    values: [input.email, input.now, CODE_MAX_TRIES],
  })
  return rows[0] ?? null
}

export async function deleteRegistration(tx: Db, email: string): Promise<void> {
  await tx.query({ name: 'registration-delete', text: 'DELETE FROM registrations WHERE email = $1', values: [email] })
}

/** null: nothing waits for this address. `codeIsGood`: it can still be entered. */
export async function findRegistration(
  db: Db,
  input: { email: string; now: Date },
): Promise<{ passwordHash: string; codeIsGood: boolean } | null> {
  const { rows } = await db.query<{ password_hash: string; code_is_good: boolean }>({
    name: 'registration-find',
    text: `SELECT password_hash, code_tries < $3 AND code_expires_at > $2 AS code_is_good
      FROM registrations WHERE email = $1 AND expires_at > $2`,
    values: [input.email, input.now, CODE_MAX_TRIES],
  })
  const row = rows[0]
  return row === undefined ? null : { passwordHash: row.password_hash, codeIsGood: row.code_is_good }
}
