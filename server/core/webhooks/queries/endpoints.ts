import type { WebhookEvent, WebhookForm, WebhookRecord } from '#contract/webhooks/webhook.ts'
import type { Db } from '#server/house/db/pool.ts'

type Sealed = Record<string, unknown>

export type EndpointRow = {
  id: number
  user_id: number
  api_key_id: number | null
  label: string
  url: string
  form: WebhookForm
  events: WebhookEvent[]
  secret: Sealed
  state: 'on' | 'off'
  off_reason: WebhookRecord['off_reason']
  failing_since: Date | null
  previous_until: Date | null
  created_at: Date
  input_hash: string | null
}

const COLUMNS = `id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $now THEN previous_until END AS previous_until, created_at, input_hash`

type Own = { id: number; userId: number; now: Date }

export async function listEndpoints(db: Db, input: { userId: number; now: Date }): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>({
    name: 'webhook-list',
    text: `SELECT ${COLUMNS} FROM webhook_endpoints WHERE user_id = $userId ORDER BY id DESC`,
    values: input,
  })
  return rows
}

export async function findEndpoint(db: Db, input: Own): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>({
    name: 'webhook-find',
    text: `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $id AND user_id = $userId`,
    values: input,
  })
  return rows[0] ?? null
}

export async function findByKey(
  db: Db,
  input: { userId: number; key: string; now: Date },
): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>({
    name: 'webhook-find-by-key',
    text: `SELECT ${COLUMNS} FROM webhook_endpoints WHERE user_id = $userId AND idempotency_key = $key`,
    values: input,
  })
  return rows[0] ?? null
}

export type NewEndpoint = {
  userId: number
  apiKeyId: number | null
  label: string
  url: string
  host: string
  form: WebhookForm
  events: readonly WebhookEvent[]
  secret: Sealed
  idempotencyKey: string | null
  inputHash: string | null
  most: number
  now: Date
}

/**
 * Stores an endpoint. Returns null if the user already has `most` endpoints; a lock makes the limit exact. A repeated
 * idempotency key violates the constraint `webhook_endpoints_once`.
 */
export async function insertEndpoint(tx: Db, made: NewEndpoint): Promise<EndpointRow | null> {
  await tx.query({
    name: 'webhook-lock-owner',
    text: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
    values: [made.userId],
  })
  const { rows } = await tx.query<EndpointRow>({
    name: 'webhook-insert',
    text: `INSERT INTO webhook_endpoints (user_id, api_key_id, label, url, host, form, events, secret, created_at, idempotency_key, input_hash)
      SELECT $userId, $apiKeyId::integer, $label, $url, $host, $form, $events, $secret::jsonb, $now, $idempotencyKey, $inputHash
      WHERE (SELECT count(*) FROM webhook_endpoints WHERE user_id = $userId) < $most
      RETURNING ${COLUMNS}`,
    values: { ...made, secret: JSON.stringify(made.secret) },
  })
  return rows[0] ?? null
}

export type Change = { label?: string; url?: string; host?: string; events?: readonly WebhookEvent[]; on?: boolean }

/** Changes an endpoint. A new URL, or turning it on, resets its failures. Turning it off ends waiting deliveries. */
export async function changeEndpoint(db: Db, own: Own, change: Change): Promise<EndpointRow | null> {
  const { label = null, url = null, host = null, events = null, on = null } = change
  const { rows } = await db.query<EndpointRow>({
    name: 'webhook-change',
    text: `WITH changed AS (
      UPDATE webhook_endpoints SET label = COALESCE($label, label), url = COALESCE($url, url), host = COALESCE($host, host),
        events = COALESCE($events::text[], events),
        state = CASE $on::boolean WHEN true THEN 'on' WHEN false THEN 'off' ELSE state END,
        off_reason = CASE WHEN $on::boolean IS NULL THEN off_reason END,
        failures = CASE WHEN ${ANEW} THEN 0 ELSE failures END,
        failing_since = CASE WHEN NOT ${ANEW} THEN failing_since END,
        rest_until = CASE WHEN NOT ${ANEW} THEN rest_until END
      WHERE id = $id AND user_id = $userId
      RETURNING ${COLUMNS}
    ), given_up AS (
      UPDATE webhook_deliveries d SET state = 'failed', failure = 'off' FROM changed
      WHERE d.endpoint_id = changed.id AND d.state = 'waiting' AND changed.state = 'off'
    )
    SELECT * FROM changed`,
    values: { ...own, label, url, host, events, on },
  })
  return rows[0] ?? null
}

const ANEW = '($url::text IS NOT NULL OR COALESCE($on::boolean, false))'

export async function rotateEndpoint(
  db: Db,
  input: Own & { secret: Sealed; previousUntil: Date | null },
): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>({
    name: 'webhook-rotate',
    text: `UPDATE webhook_endpoints SET secret = $secret::jsonb, previous_until = $previousUntil::timestamptz,
        previous_secret = CASE WHEN $previousUntil::timestamptz IS NOT NULL THEN secret END
      WHERE id = $id AND user_id = $userId AND form = 'standard'
      RETURNING ${COLUMNS}`,
    values: { ...input, secret: JSON.stringify(input.secret) },
  })
  return rows[0] ?? null
}

/** Deletes an endpoint with its deliveries. Returns false if it belongs to another user. */
export async function deleteEndpoint(db: Db, input: { id: number; userId: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook-delete',
    text: 'DELETE FROM webhook_endpoints WHERE id = $id AND user_id = $userId',
    values: input,
  })
  return rowCount === 1
}

type SwitchedOff = { owner_id: number; sandbox: boolean; label: string; host: string }

/**
 * Turns an endpoint off and ends its waiting deliveries. Returns its owner (of a sandbox account, the user behind it),
 * or null if it was off.
 */
export async function switchOff(
  tx: Db,
  input: { id: number; reason: 'failing' | 'gone' },
): Promise<SwitchedOff | null> {
  const { rows } = await tx.query<SwitchedOff>({
    name: 'webhook-switch-off',
    text: `WITH off AS (
      UPDATE webhook_endpoints SET state = 'off', off_reason = $reason WHERE id = $id AND state = 'on'
      RETURNING id, user_id, label, host
    ), given_up AS (
      UPDATE webhook_deliveries d SET state = 'failed', failure = 'off' FROM off WHERE d.endpoint_id = off.id AND d.state = 'waiting'
    )
    SELECT COALESCE(u.sandbox_of, u.id) AS owner_id, u.sandbox_of IS NOT NULL AS sandbox, off.label, off.host
    FROM off JOIN users u ON u.id = off.user_id`,
    values: input,
  })
  return rows[0] ?? null
}
