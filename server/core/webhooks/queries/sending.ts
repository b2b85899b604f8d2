import type { WebhookFailure, WebhookForm } from '#contract/webhooks/webhook.ts'
import type { Db } from '#server/house/db/pool.ts'
import { TOLD_COLUMNS, TOLD_MESSAGE, type Told } from './deliveries.ts'

type Sealed = Record<string, unknown>

export type DueDelivery = Told & {
  endpoint_id: number
  /** The owner of the endpoint; for a sandbox endpoint, the owner of the sandbox key. */
  owner_id: number
  /** The cause of a delivery: `paid` for a real event, `free` for a test or a replay, `play` for the sandbox. */
  cause: 'paid' | 'free' | 'play'
  round: number
  tries: number
  url: string
  host: string
  form: WebhookForm
  secret: Sealed
  /** The secret before a rotation; null unless the overlap runs. */
  previous_secret: Sealed | null
}

/** Lists endpoints with waiting deliveries. The query skips along the index, so that a backlog costs nothing. */
export async function listBusy(db: Db, input: { after: number; limit: number }): Promise<number[]> {
  const { rows } = await db.query<{ endpoint_id: number }>({
    name: 'webhook-list-busy',
    text: `WITH RECURSIVE busy AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'waiting' AND endpoint_id > $after ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.endpoint_id > busy.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1) FROM busy WHERE busy.endpoint_id IS NOT NULL
    )
    SELECT endpoint_id FROM busy WHERE endpoint_id IS NOT NULL LIMIT $limit`,
    values: input,
  })
  return rows.map((row) => row.endpoint_id)
}

export const ANY_WEBHOOK_DUE = `(SELECT min(next_at) FROM webhook_deliveries WHERE state = 'waiting') <= $now`

type Closed = { endpoints: readonly number[]; hosts: readonly string[] }

export type DueQuery = {
  endpoints: readonly number[]
  closedHosts: readonly string[]
  /** The endpoints and hosts that get no `free` or `play` deliveries now. */
  free: Closed
  play: Closed
  sending: readonly bigint[]
  perEndpoint: number
  now: Date
}

/**
 * Lists due deliveries: for each endpoint and subject (such as an order) the oldest, so that events arrive in order.
 * Nothing goes to blocked or erased users, or for API keys that are revoked or may not read codes.
 */
export async function listDue(db: Db, { free, play, ...query }: DueQuery): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>({
    name: 'webhook-list-due',
    text: `SELECT ${TOLD_COLUMNS}, d.tries, d.round, e.id AS endpoint_id, e.url, e.host, e.form, e.secret,
      COALESCE(u.sandbox_of, u.id) AS owner_id, d.cause,
      CASE WHEN e.previous_until > $now THEN e.previous_secret END AS previous_secret
    FROM webhook_endpoints e JOIN users u ON u.id = e.user_id
    CROSS JOIN LATERAL (SELECT w.*, ${CAUSE} AS cause FROM webhook_deliveries w
      WHERE w.endpoint_id = e.id AND w.state = 'waiting' AND w.next_at <= $now AND w.id <> ALL ($sending)
        AND NOT CASE ${CAUSE} WHEN 'free' THEN e.id = ANY ($freeEndpoints) OR e.host = ANY ($freeHosts)
          WHEN 'play' THEN e.id = ANY ($playEndpoints) OR e.host = ANY ($playHosts) ELSE false END
        AND NOT EXISTS (SELECT FROM webhook_deliveries earlier WHERE earlier.endpoint_id = e.id AND earlier.subject = w.subject
          AND earlier.state = 'waiting' AND earlier.id < w.id)
      ORDER BY w.id LIMIT $perEndpoint) d
    ${TOLD_MESSAGE}
    WHERE e.id = ANY ($endpoints) AND e.state = 'on' AND u.blocked_at IS NULL AND u.erased_at IS NULL
      AND (e.rest_until IS NULL OR e.rest_until <= $now) AND e.host <> ALL ($closedHosts)
      AND (e.api_key_id IS NULL OR EXISTS (SELECT FROM api_keys k
        WHERE k.id = e.api_key_id AND k.revoked_at IS NULL AND 'read' = ANY (k.scopes)))`,
    values: {
      ...query,
      freeEndpoints: free.endpoints,
      freeHosts: free.hosts,
      playEndpoints: play.endpoints,
      playHosts: play.hosts,
    },
  })
  return rows
}

const CAUSE = `(CASE WHEN u.sandbox_of IS NOT NULL THEN 'play' WHEN w.event = 'test' OR w.round > 0 THEN 'free' ELSE 'paid' END)`

export type TryResult = {
  id: bigint
  endpointId: number
  round: number
  tries: number
  ok: boolean
  status: number | null
  failure: WebhookFailure | null
  reply: string | null
  tookMs: number
  at: Date
  nextAt: Date | null
}

export type Failing = { id: number; failures: number; failing_since: Date }

/**
 * Stores all results in one statement; a repeated result counts once. A replay that began meanwhile is not ended by an
 * earlier try's result.
 */
export async function storeTryResults(db: Db, tried: readonly TryResult[]): Promise<Failing[]> {
  const { rows } = await db.query<Failing>({
    name: 'webhook-settle',
    text: `WITH tried AS (
      SELECT * FROM unnest($ids::bigint[], $endpointIds::integer[], $rounds::integer[], $tries::integer[], $oks::boolean[], $statuses::integer[], $failures::text[],
          $replies::text[], $tookMs::integer[], $ats::timestamptz[], $nextAts::timestamptz[])
        AS t (id, endpoint_id, round, tries, ok, status, failure, reply, took_ms, at, next_at)
    ), settled AS (
      UPDATE webhook_deliveries d SET tries = d.tries + 1, tried_at = tried.at, took_ms = tried.took_ms, status = tried.status,
        failure = tried.failure, reply = tried.reply, next_at = COALESCE(tried.next_at, d.next_at),
        state = CASE WHEN tried.ok THEN 'delivered' WHEN tried.next_at IS NULL THEN 'failed' ELSE 'waiting' END
      FROM tried WHERE d.id = tried.id AND d.round = tried.round AND d.tries = tried.tries AND d.state = 'waiting'
      RETURNING d.endpoint_id, tried.ok, tried.at
    ), told AS (
      SELECT endpoint_id, bool_or(ok) AS ok, count(*) AS failed, min(at) AS at FROM settled GROUP BY endpoint_id
    ), healthy AS (
      UPDATE webhook_endpoints e SET failures = 0, failing_since = NULL, rest_until = NULL FROM told
      WHERE e.id = told.endpoint_id AND told.ok AND e.failing_since IS NOT NULL
    )
    UPDATE webhook_endpoints e SET failures = e.failures + told.failed, failing_since = COALESCE(e.failing_since, told.at)
    FROM told WHERE e.id = told.endpoint_id AND NOT told.ok
    RETURNING e.id, e.failures, e.failing_since`,
    values: {
      ids: tried.map(({ id }) => id),
      endpointIds: tried.map(({ endpointId }) => endpointId),
      rounds: tried.map(({ round }) => round),
      tries: tried.map(({ tries }) => tries),
      oks: tried.map(({ ok }) => ok),
      statuses: tried.map(({ status }) => status),
      failures: tried.map(({ failure }) => failure),
      replies: tried.map(({ reply }) => reply),
      tookMs: tried.map(({ tookMs }) => tookMs),
      ats: tried.map(({ at }) => at),
      nextAts: tried.map(({ nextAt }) => nextAt),
    },
  })
  return rows
}

export async function restUntil(db: Db, input: { id: number; until: Date }): Promise<void> {
  await db.query({
    name: 'webhook-rest',
    text: 'UPDATE webhook_endpoints SET rest_until = $until WHERE id = $id AND failing_since IS NOT NULL',
    values: input,
  })
}

/** Gives up deliveries due before `before`, also of endpoints that are off, blocked users and revoked API keys. */
export async function giveUpLate(db: Db, input: { before: Date; limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'webhook-give-up-late',
    text: `UPDATE webhook_deliveries SET state = 'failed', failure = 'late' WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE state = 'waiting' AND next_at < $before ORDER BY next_at LIMIT $limit)`,
    values: input,
  })
  return rowCount
}
