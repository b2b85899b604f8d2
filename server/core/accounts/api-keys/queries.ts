import type { KeyDialect, KeyScope } from '#contract/api-key.ts'
import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { hashApiKey } from './api-key.ts'

export type KeyOwner = {
  id: number
  user_id: number
  sandbox: boolean
  /** The user id for which the key acts. For a sandbox key, that is the owner's shadow account instead of the owner. */
  acts_for: number
  scopes: KeyScope[]
  addresses: string[]
  dialect: KeyDialect | null
  capped: boolean
  rules_version: number
  blocked: boolean
  currency: Currency
  previous_until: Date | null
}

export async function findKeyOwner(db: Db, keyHash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<KeyOwner>({
    name: 'api-key-owner',
    text: `SELECT k.id, k.user_id, k.sandbox, CASE WHEN k.sandbox THEN s.id ELSE k.user_id END AS acts_for, k.scopes, k.addresses, k.dialect, k.rules_version,
        EXISTS (SELECT FROM key_ceilings c WHERE c.key_id = k.id) AS capped, u.blocked_at IS NOT NULL AS blocked, a.currency,
        CASE WHEN k.key_hash = $1 THEN NULL ELSE k.previous_until END AS previous_until
      FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN users s ON k.sandbox AND s.sandbox_of = k.user_id
        JOIN accounts a ON a.user_id = CASE WHEN k.sandbox THEN s.id ELSE k.user_id END
      WHERE (k.key_hash = $1 OR (k.previous_hash = $1 AND k.previous_until > $2)) AND k.revoked_at IS NULL`,
    values: [keyHash, now],
  })
  return rows[0] ?? null
}

/** Stores a key issued by staff and revokes the key that staff issued before. Storing an equal key changes nothing. */
export async function replaceApiKey(db: Db, input: { userId: number; apiKey: string; now: Date }): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    text: `WITH revoked AS (
      UPDATE api_keys SET revoked_at = $3 WHERE user_id = $1 AND by_staff AND revoked_at IS NULL AND key_hash <> $2
      RETURNING id
    ), made AS (
      INSERT INTO api_keys (user_id, key_hash, created_at, name, by_staff, scopes, addresses)
      VALUES ($1, $2, $3, 'API', true, '{read,buy,money}', '{}') ON CONFLICT (key_hash) DO NOTHING
    )
    SELECT id FROM revoked`,
    values: [input.userId, hashApiKey(input.apiKey), input.now],
  })
  return rows.map(({ id }) => id)
}

export type KeyRow = {
  id: number
  user_id: number
  name: string
  scopes: KeyScope[]
  addresses: string[]
  dialect: KeyDialect | null
  sandbox: boolean
  day_limit_micros: bigint | null
  spent_micros: bigint
  created_at: Date
  last_used_at: Date | null
  previous_until: Date | null
}

const COLUMNS = `id, user_id, name, scopes, addresses, dialect, sandbox, day_limit_micros, key_spent(id, $now::timestamptz, NULL) AS spent_micros,
  created_at, last_used_at, CASE WHEN previous_until > $now THEN previous_until END AS previous_until`

export async function listKeys(db: Db, input: { userId: number; now: Date }): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'api-key-list',
    text: `SELECT ${COLUMNS} FROM api_keys WHERE user_id = $userId AND revoked_at IS NULL ORDER BY id DESC`,
    values: input,
  })
  return rows
}

export async function countKeys(db: Db, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'api-key-count',
    text: 'SELECT count(*) FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL',
    values: [userId],
  })
  return Number(rows[0]?.count ?? 0)
}

export type NewKey = {
  userId: number
  keyHash: Buffer
  name: string
  scopes: readonly KeyScope[]
  addresses: readonly string[]
  dialect: KeyDialect | null
  dayLimitMicros: bigint | null
  sandbox: boolean
  limit: number
  sandboxLimit: number
  now: Date
}

/**
 * Stores an API key, or returns null at the user's maximum. Call it in a transaction, whose lock makes the limit exact.
 */
export async function insertKey(tx: Db, key: NewKey): Promise<KeyRow | null> {
  await tx.query({
    name: 'api-key-lock-owner',
    text: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
    values: [key.userId],
  })
  const { rows } = await tx.query<KeyRow>({
    name: 'api-key-insert',
    text: `INSERT INTO api_keys (user_id, key_hash, created_at, name, by_staff, scopes, addresses, dialect, day_limit_micros, sandbox)
      SELECT $userId, $keyHash, $now, $name, false, $scopes, $addresses, $dialect, $dayLimitMicros, $sandbox
      WHERE (SELECT count(*) < $limit AND (NOT $sandbox OR count(*) FILTER (WHERE sandbox) < $sandboxLimit)
        FROM api_keys WHERE user_id = $userId AND revoked_at IS NULL)
      RETURNING ${COLUMNS}`,
    values: key,
  })
  return rows[0] ?? null
}

export type Secrets = { id: number; key_hash: Buffer; previous_hash: Buffer | null; rules_version: number }

/** `earlier` is the hash of the replaced secret. `dropped` are hashes of secrets that are no longer valid. */
export type Rotated = KeyRow & { earlier: Buffer; dropped: Buffer[]; rules_version: number }

/** Replaces a key's secret and drops a still valid older one. Returns null for a revoked or another user's key. */
export async function rotateKey(
  db: Db,
  input: { id: number; userId: number; keyHash: Buffer; previousUntil: Date | null; now: Date },
): Promise<Rotated | null> {
  const { rows } = await db.query<Rotated>({
    name: 'api-key-rotate',
    text: `WITH earlier AS (
      SELECT id AS earlier_id, key_hash AS earlier_hash, previous_hash AS older_hash FROM api_keys
      WHERE id = $id AND user_id = $userId AND revoked_at IS NULL FOR UPDATE
    )
    UPDATE api_keys SET key_hash = $keyHash, previous_until = $previousUntil,
      previous_hash = CASE WHEN $previousUntil::timestamptz IS NULL THEN NULL ELSE earlier_hash END
    FROM earlier WHERE id = earlier_id
    RETURNING ${COLUMNS}, rules_version, earlier_hash AS earlier, array_remove(ARRAY[older_hash,
      CASE WHEN $previousUntil::timestamptz IS NULL THEN earlier_hash END], NULL) AS dropped`,
    values: input,
  })
  return rows[0] ?? null
}

export type KeyRules = Pick<KeyRow, 'name' | 'scopes' | 'addresses' | 'dialect' | 'day_limit_micros'>

export async function findKeyRules(db: Db, input: { id: number; userId: number }): Promise<KeyRules | null> {
  const { rows } = await db.query<KeyRules>({
    name: 'api-key-rules',
    text: `SELECT name, scopes, addresses, dialect, day_limit_micros FROM api_keys
      WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

/**
 * Changes the rules of a key. Returns null if the key is revoked or its rules differ from `before`. `raise` is added to
 * the version of the rules.
 */
export async function changeKey(
  db: Db,
  input: { id: number; userId: number; before: KeyRules; after: KeyRules; raise: number; now: Date },
): Promise<(KeyRow & Secrets) | null> {
  const { before, after, ...rest } = input
  const { rows } = await db.query<KeyRow & Secrets>({
    name: 'api-key-change',
    text: `UPDATE api_keys SET name = $name, scopes = $scopes, addresses = $addresses, dialect = $dialect, day_limit_micros = $limit,
        rules_version = rules_version + $raise::integer
      WHERE id = $id AND user_id = $userId AND revoked_at IS NULL AND scopes = $wasScopes::text[]
        AND addresses = $wasAddresses::text[] AND day_limit_micros IS NOT DISTINCT FROM $wasLimit::bigint
      RETURNING ${COLUMNS}, key_hash, previous_hash, rules_version`,
    values: {
      ...rest,
      name: after.name,
      scopes: after.scopes,
      addresses: after.addresses,
      dialect: after.dialect,
      limit: after.day_limit_micros,
      wasScopes: before.scopes,
      wasAddresses: before.addresses,
      wasLimit: before.day_limit_micros,
    },
  })
  return rows[0] ?? null
}

/** Revokes a key of the user, or of any user if `userId` is null. Returns null if no such active key exists. */
export async function revokeKey(
  db: Db,
  input: { id: number; userId: number | null; now: Date },
): Promise<(Secrets & { user_id: number; name: string }) | null> {
  const { rows } = await db.query<Secrets & { user_id: number; name: string }>({
    name: 'api-key-revoke',
    text: `UPDATE api_keys SET revoked_at = $now
      WHERE id = $id AND ($userId::integer IS NULL OR user_id = $userId) AND revoked_at IS NULL
      RETURNING id, user_id, name, key_hash, previous_hash, rules_version`,
    values: input,
  })
  return rows[0] ?? null
}

export async function hasKey(db: Db, input: { id: number; userId: number }): Promise<boolean> {
  const { rows } = await db.query<{ id: number }>({
    name: 'api-key-find',
    text: 'SELECT id FROM api_keys WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL',
    values: [input.id, input.userId],
  })
  return rows.length === 1
}

export async function endOverlaps(db: Db, now: Date): Promise<Secrets[]> {
  const { rows } = await db.query<Secrets>({
    name: 'api-key-end-overlaps',
    text: `WITH over AS (
      SELECT id AS over_id, previous_hash AS over_hash FROM api_keys WHERE previous_until <= $1 FOR UPDATE SKIP LOCKED
    )
    UPDATE api_keys SET previous_hash = NULL, previous_until = NULL FROM over WHERE id = over_id
    RETURNING id, key_hash, over_hash AS previous_hash, rules_version`,
    values: [now],
  })
  return rows
}

export async function listShutSince(db: Db, since: Date): Promise<Secrets[]> {
  const { rows } = await db.query<Secrets>({
    text: `SELECT id, key_hash, previous_hash, rules_version FROM api_keys WHERE revoked_at >= $1
      UNION ALL SELECT k.id, k.key_hash, k.previous_hash, k.rules_version FROM users u JOIN api_keys k ON k.user_id = u.id
        WHERE u.blocked_at >= $1 AND k.revoked_at IS NULL`,
    values: [since],
  })
  return rows
}

export async function findSecrets(db: Db, keyId: number): Promise<Secrets | null> {
  const { rows } = await db.query<Secrets>({
    name: 'api-key-find-secrets',
    text: 'SELECT id, key_hash, previous_hash, rules_version FROM api_keys WHERE id = $1',
    values: [keyId],
  })
  return rows[0] ?? null
}

export async function listLiveSecrets(db: Db, input: { keyIds: readonly number[]; now: Date }): Promise<Secrets[]> {
  const { rows } = await db.query<Secrets>({
    name: 'api-key-live-secrets',
    text: `SELECT k.id, k.key_hash, CASE WHEN k.previous_until > $now THEN k.previous_hash END AS previous_hash, k.rules_version
      FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.id = ANY ($keyIds) AND k.revoked_at IS NULL AND u.blocked_at IS NULL`,
    values: input,
  })
  return rows
}

export async function listSecretsOf(db: Db, userId: number): Promise<Secrets[]> {
  const { rows } = await db.query<Secrets>({
    name: 'api-key-secrets',
    text: 'SELECT id, key_hash, previous_hash, rules_version FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL',
    values: [userId],
  })
  return rows
}

export type KeySpend = { revoked: boolean; limitMicros: bigint | null; spentMicros: bigint }

/** Returns a key's daily limit and the sum spent, to explain why the SQL statement that holds money refused it. */
export async function findKeySpend(
  db: Db,
  input: { keyId: number; besides: bigint | null; now: Date },
): Promise<KeySpend> {
  const { rows } = await db.query<{ revoked: boolean; day_limit_micros: bigint | null; spent: bigint }>({
    name: 'api-key-spend',
    text: `SELECT revoked_at IS NOT NULL AS revoked, day_limit_micros,
        CASE WHEN day_limit_micros IS NULL THEN 0 ELSE key_spent(id, $2::timestamptz, $3::bigint) END AS spent
      FROM api_keys WHERE id = $1`,
    values: [input.keyId, input.now, input.besides],
  })
  const [row] = rows
  return {
    revoked: row?.revoked ?? true,
    limitMicros: row?.day_limit_micros ?? null,
    spentMicros: row?.spent ?? 0n,
  }
}
