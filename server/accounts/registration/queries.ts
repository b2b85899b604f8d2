import type { CodeTimes } from '#server/accounts/codes/code.ts'
import { CODE_MAX_TRIES } from '#server/accounts/codes/code.ts'
import type { Db } from '#server/db/pool.ts'

export type NewRegistration = {
  /** In lower case, here and below. */
  email: string
  passwordHash: string
  referrerId: number | null
  utm: Record<string, string>
  browserHash: Buffer
  /** What the browser held before: its earlier row of this address goes. */
  formerBrowserHash: Buffer | null
  times: CodeTimes
}

/**
 * Gives the row that this browser has just been mailed a code for another password and origin: the code stays good.
 * false: there is no such row.
 */
export async function amendRegistration(db: Db, input: NewRegistration): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'registration-amend',
    text: `UPDATE registrations SET password_hash = $3, referrer_id = $4, utm = $5, browser_hash = $6
      WHERE email = $1 AND browser_hash = $2 AND code_sent_at > $7 AND code_expires_at > $8 AND code_tries < $9`,
    values: [
      input.email,
      input.formerBrowserHash,
      input.passwordHash,
      input.referrerId,
      JSON.stringify(input.utm),
      input.browserHash,
      input.times.cooldownSince,
      input.times.now,
      CODE_MAX_TRIES,
    ],
  })
  return rowCount === 1
}

/** Rows of one address and network, of one address, and of one network; a new one counts. */
const MAX_HERE = 3
const MAX_PER_ADDRESS = 50
const MAX_PER_NETWORK = 100

/**
 * Keeps a registration. What is too much goes: of the same network first, then rows of this address whose code nobody
 * was mailed, then those of the network that has most. `isMailed`: its code is on its way.
 */
export async function insertRegistration(
  db: Db,
  input: NewRegistration & { network: string; codeHash: Buffer; isMailed: boolean },
): Promise<void> {
  const { now, expiresAt, waitsUntil } = input.times
  await db.query({
    name: 'registration-insert',
    text: `WITH removed AS (
      DELETE FROM registrations WHERE id IN (
        SELECT id FROM registrations WHERE email = $1 AND browser_hash = $2
        UNION ALL
        (SELECT id FROM registrations WHERE email = $1 AND network = $3 ORDER BY id DESC OFFSET ${MAX_HERE - 1})
        UNION ALL
        (SELECT id FROM registrations WHERE network = $3 ORDER BY id DESC OFFSET ${MAX_PER_NETWORK - 1})
        UNION ALL
        (SELECT id FROM (
            SELECT id, code_sent_at IS NOT NULL AND code_expires_at > $10 AS is_good,
              row_number() OVER (PARTITION BY network ORDER BY id DESC) AS nth
            FROM registrations WHERE email = $1
          ) AS of_address
          ORDER BY is_good DESC, nth, id DESC OFFSET ${MAX_PER_ADDRESS - 1})
      )
    )
    INSERT INTO registrations
      (email, browser_hash, network, password_hash, referrer_id, utm, code_hash, code_sent_at, code_expires_at, expires_at)
      VALUES ($1, $4, $3, $5, $6, $7, $8, $9, $11, $12)`,
    values: [
      input.email,
      input.formerBrowserHash,
      input.network,
      input.browserHash,
      input.passwordHash,
      input.referrerId,
      JSON.stringify(input.utm),
      input.codeHash,
      input.isMailed ? now : null,
      now,
      expiresAt,
      waitsUntil,
    ],
  })
}

/**
 * Puts a new code in place of the old one: of this browser's registration, or of the newest of its network. false:
 * nothing waits for this address here, or a code has just been sent.
 */
export async function renewRegistrationCode(
  db: Db,
  input: { email: string; browserHash: Buffer | null; network: string; codeHash: Buffer; times: CodeTimes },
): Promise<boolean> {
  const { now, expiresAt, waitsUntil, cooldownSince } = input.times
  const { rowCount } = await db.query({
    name: 'registration-renew-code',
    text: `UPDATE registrations SET code_hash = $4, code_tries = 0, code_sent_at = $5, code_expires_at = $6, expires_at = $7
      WHERE id = (
        SELECT id FROM registrations WHERE email = $1 AND (browser_hash = $2 OR network = $3) AND expires_at > $5
        ORDER BY browser_hash = $2 DESC NULLS LAST, id DESC LIMIT 1
      ) AND (code_sent_at IS NULL OR code_sent_at <= $8)`,
    values: [input.email, input.browserHash, input.network, input.codeHash, now, expiresAt, waitsUntil, cooldownSince],
  })
  return rowCount === 1
}

export type Registration = {
  id: bigint
  password_hash: string
  referrer_id: number | null
  utm: Record<string, string>
  code_hash: Buffer
}

/**
 * Counts a try at the registration of this browser, or of this password, and locks its row until the transaction ends.
 * `found` without `registration`: its code is no good any more. Not found: neither browser nor password has one here.
 */
export async function takeRegistrationTry(
  tx: Db,
  input: { email: string; browserHash: Buffer | null; passwordHash: string | null; now: Date },
): Promise<{ found: boolean; registration: Registration | null }> {
  const { rows } = await tx.query<Registration & { is_good: boolean }>({
    name: 'registration-take-try',
    text: `UPDATE registrations SET code_tries = least(code_tries, $5) + 1
      WHERE id = (
        SELECT id FROM registrations
        WHERE email = $1 AND (browser_hash = $2 OR password_hash = $3) AND expires_at > $4
        ORDER BY password_hash = $3 DESC NULLS LAST, id DESC LIMIT 1
      )
      RETURNING id, password_hash, referrer_id, utm, code_hash, code_tries <= $5 AND code_expires_at > $4 AS is_good`,
    values: [input.email, input.browserHash, input.passwordHash, input.now, CODE_MAX_TRIES],
  })
  const row = rows[0]
  if (row === undefined) return { found: false, registration: null }
  return { found: true, registration: row.is_good ? row : null }
}

/** The address is proved: what else waits for it, waits in vain. */
export async function deleteRegistrations(tx: Db, email: string): Promise<void> {
  await tx.query({ name: 'registrations-delete', text: 'DELETE FROM registrations WHERE email = $1', values: [email] })
}

/** Ties the registration of this password to another browser. null: there is none. `codeIsGood`: it can still be entered. */
export async function moveRegistration(
  db: Db,
  input: { email: string; passwordHash: string; browserHash: Buffer; now: Date },
): Promise<{ codeIsGood: boolean } | null> {
  const { rows } = await db.query<{ code_is_good: boolean }>({
    name: 'registration-move',
    text: `UPDATE registrations SET browser_hash = $3
      WHERE id = (
        SELECT id FROM registrations WHERE email = $1 AND password_hash = $2 AND expires_at > $4 ORDER BY id DESC LIMIT 1
      )
      RETURNING code_sent_at IS NOT NULL AND code_tries < $5 AND code_expires_at > $4 AS code_is_good`,
    values: [input.email, input.passwordHash, input.browserHash, input.now, CODE_MAX_TRIES],
  })
  const row = rows[0]
  return row === undefined ? null : { codeIsGood: row.code_is_good }
}
