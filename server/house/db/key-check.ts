import { createHmac, hkdfSync } from 'node:crypto'
import type { Db } from './pool.ts'

export async function keyFits(db: Db, keys: readonly string[]): Promise<boolean | null> {
  const noted = await findNote(db)
  return noted === null ? null : keys.some((key) => checkValue(key) === noted)
}

/**
 * Stores a check value of the current secret key, the first of `keys`. If none of `keys` made the value that is already
 * stored, keeps that value and returns false.
 */
export async function noteKey(db: Db, keys: readonly [string, ...string[]], now: Date): Promise<boolean> {
  const [current] = keys
  await db.query({
    text: `INSERT INTO settings AS s (key, value, updated_at) VALUES ('secret_key_check', to_jsonb($1::text), $3)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = $3
      WHERE s.value <> excluded.value AND s.value #>> '{}' = ANY ($2)`,
    values: [checkValue(current), keys.map(checkValue), now],
  })
  return (await findNote(db)) === checkValue(current)
}

function checkValue(secretKey: string): string {
  const key = hkdfSync('sha256', secretKey, '', 'ringpost: key check', 32)
  return createHmac('sha256', Buffer.from(key)).update('ringpost').digest('base64url')
}

async function findNote(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ value: string }>({
    text: `SELECT value #>> '{}' AS value FROM settings WHERE key = 'secret_key_check'`,
  })
  return rows[0]?.value ?? null
}
