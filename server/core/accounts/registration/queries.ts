import type { CodeTimes } from '#server/core/accounts/codes/code.ts'
import { CODE_MAX_TRIES } from '#server/core/accounts/codes/code.ts'
import type { Db } from '#server/house/db/pool.ts'

export type NewRegistration = {
  /** The e-mail address in lower case, as in every function of this file. */
  email: string
  passwordHash: string
  referrerId: number | null
  utm: Record<string, string>
  browserHash: Buffer
  formerBrowserHash: Buffer | null
  times: CodeTimes
}

/** Changes the password and origin of a registration; its code stays valid. Returns false if this browser has none. */
export async function amendRegistration(db: Db, input: NewRegistration): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'registration-amend',
    text: `UPDATE registrations SET password_hash = $passwordHash, referrer_id = $referrerId, utm = $utm,
      browser_hash = $browserHash
      WHERE email = $email AND browser_hash = $formerBrowserHash AND code_sent_at > $cooldownSince
        AND code_expires_at > $now AND code_tries < $maxTries`,
    values: { ...input, ...input.times, utm: JSON.stringify(input.utm), maxTries: CODE_MAX_TRIES },
  })
  return rowCount === 1
}

/** The maximum number of pending registrations: per address and network, per address, and per network. */
const MAX_HERE = 3
const MAX_PER_ADDRESS = 50
const MAX_PER_NETWORK = 100

/**
 * Stores a registration, and deletes this browser's former one and those above three limits. The limits are per address
 * and network, per address, and per network. At the limit per address, registrations without a valid mailed code go
 * first, then those of the network with the most.
 */
export async function insertRegistration(
  db: Db,
  input: NewRegistration & { network: string; codeHash: Buffer; isMailed: boolean },
): Promise<void> {
  await db.query({
    name: 'registration-insert',
    text: `WITH removed AS (
      DELETE FROM registrations WHERE id IN (
        SELECT id FROM registrations WHERE email = $email AND browser_hash = $formerBrowserHash
        UNION ALL
        (SELECT id FROM registrations WHERE email = $email AND network = $network ORDER BY id DESC OFFSET ${MAX_HERE - 1})
        UNION ALL
        (SELECT id FROM registrations WHERE network = $network ORDER BY id DESC OFFSET ${MAX_PER_NETWORK - 1})
        UNION ALL
        (SELECT id FROM (
            SELECT id, code_sent_at IS NOT NULL AND code_expires_at > $now AS is_good,
              row_number() OVER (PARTITION BY network ORDER BY id DESC) AS nth
            FROM registrations WHERE email = $email
          ) AS of_address
          ORDER BY is_good DESC, nth, id DESC OFFSET ${MAX_PER_ADDRESS - 1})
      )
    )
    INSERT INTO registrations
      (email, browser_hash, network, password_hash, referrer_id, utm, code_hash, code_sent_at, code_expires_at, expires_at)
      VALUES ($email, $browserHash, $network, $passwordHash, $referrerId, $utm, $codeHash, $codeSentAt, $expiresAt,
        $waitsUntil)`,
    values: {
      ...input,
      ...input.times,
      utm: JSON.stringify(input.utm),
      codeSentAt: input.isMailed ? input.times.now : null,
    },
  })
}

/**
 * Renews the code of this browser's registration, or of the newest one of its network. Returns false if there is none
 * or the cooldown runs.
 */
export async function renewRegistrationCode(
  db: Db,
  input: { email: string; browserHash: Buffer | null; network: string; codeHash: Buffer; times: CodeTimes },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'registration-renew-code',
    text: `UPDATE registrations SET code_hash = $codeHash, code_tries = 0, code_sent_at = $now,
      code_expires_at = $expiresAt, expires_at = $waitsUntil
      WHERE id = (
        SELECT id FROM registrations WHERE email = $email AND (browser_hash = $browserHash OR network = $network)
          AND expires_at > $now
        ORDER BY browser_hash = $browserHash DESC NULLS LAST, id DESC LIMIT 1
      ) AND (code_sent_at IS NULL OR code_sent_at <= $cooldownSince)`,
    values: { ...input, ...input.times },
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

/** Counts a try of a code and locks its row until commit. `found` without `registration` means an expired code. */
export async function takeRegistrationTry(
  tx: Db,
  input: { email: string; browserHash: Buffer | null; passwordHash: string | null; now: Date },
): Promise<{ found: boolean; registration: Registration | null }> {
  const { rows } = await tx.query<Registration & { is_good: boolean }>({
    name: 'registration-take-try',
    text: `UPDATE registrations SET code_tries = least(code_tries, $maxTries) + 1
      WHERE id = (
        SELECT id FROM registrations
        WHERE email = $email AND (browser_hash = $browserHash OR password_hash = $passwordHash) AND expires_at > $now
        ORDER BY password_hash = $passwordHash DESC NULLS LAST, id DESC LIMIT 1
      )
      RETURNING id, password_hash, referrer_id, utm, code_hash, code_tries <= $maxTries
        AND code_expires_at > $now AS is_good`,
    values: { ...input, maxTries: CODE_MAX_TRIES },
  })
  const row = rows[0]
  if (row === undefined) return { found: false, registration: null }
  return { found: true, registration: row.is_good ? row : null }
}

export async function deleteRegistrations(tx: Db, email: string): Promise<void> {
  await tx.query({ name: 'registrations-delete', text: 'DELETE FROM registrations WHERE email = $1', values: [email] })
}

export async function moveRegistration(
  db: Db,
  input: { email: string; passwordHash: string; browserHash: Buffer; now: Date },
): Promise<{ codeIsGood: boolean } | null> {
  const { rows } = await db.query<{ code_is_good: boolean }>({
    name: 'registration-move',
    text: `UPDATE registrations SET browser_hash = $browserHash
      WHERE id = (
        SELECT id FROM registrations WHERE email = $email AND password_hash = $passwordHash AND expires_at > $now
        ORDER BY id DESC LIMIT 1
      )
      RETURNING code_sent_at IS NOT NULL AND code_tries < $maxTries AND code_expires_at > $now AS code_is_good`,
    values: { ...input, maxTries: CODE_MAX_TRIES },
  })
  const row = rows[0]
  return row === undefined ? null : { codeIsGood: row.code_is_good }
}
