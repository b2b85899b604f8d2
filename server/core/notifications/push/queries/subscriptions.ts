import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

type Sealed = Record<string, unknown>

export type PushKeysRow = { public_key: string; private_key: Sealed }

/** Stores the VAPID keys. If several callers store keys concurrently, the keys of the first stay. */
export async function keepPushKeys(db: Db, input: { made: PushKeysRow; now: Date }): Promise<PushKeysRow> {
  const { public_key: publicKey, private_key: privateKey } = input.made
  await db.query({
    text: `INSERT INTO push_keys (id, public_key, private_key, created_at)
      VALUES (1, $publicKey, $privateKey::jsonb, $now) ON CONFLICT (id) DO NOTHING`,
    values: { publicKey, privateKey: JSON.stringify(privateKey), now: input.now },
  })
  const row = await findPushKeys(db)
  if (row === null) throw new Error('the keys of push were not kept')
  return row
}

export async function findPushKeys(db: Db): Promise<PushKeysRow | null> {
  const { rows } = await db.query<PushKeysRow>({ text: 'SELECT public_key, private_key FROM push_keys' })
  return rows[0] ?? null
}

export async function resealPushKeys(db: Db, input: { was: Sealed; fresh: Sealed }): Promise<void> {
  await db.query({
    text: 'UPDATE push_keys SET private_key = $2::jsonb WHERE private_key = $1::jsonb',
    values: [JSON.stringify(input.was), JSON.stringify(input.fresh)],
  })
}

/**
 * Stores a browser's subscription and replaces the same browser's earlier subscription, even of another user. Deletes a
 * dead subscription of this session, and the user's oldest subscriptions above `most`. Returns null if the session has
 * ended meanwhile.
 */
export async function insertSubscription(
  db: Db,
  input: { userId: number; sessionId: bigint; endpointHash: Buffer; sealed: Sealed; most: number; now: Date },
): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'push-subscribe',
    text: `WITH session AS (
      SELECT id, user_id FROM sessions WHERE id = $sessionId AND user_id = $userId AND revoked_at IS NULL FOR KEY SHARE
    ), excess AS (
      DELETE FROM push_subscriptions WHERE id IN (SELECT id FROM push_subscriptions
        WHERE user_id = $userId AND endpoint_hash <> $endpointHash ORDER BY id DESC OFFSET $most - 1)
        OR (session_id = $sessionId AND gone_at IS NOT NULL AND endpoint_hash <> $endpointHash)
    )
    INSERT INTO push_subscriptions (user_id, session_id, endpoint_hash, sealed, created_at)
    SELECT user_id, id, $endpointHash, $sealed::jsonb, $now FROM session
    ON CONFLICT ON CONSTRAINT push_subscriptions_endpoint DO UPDATE
      SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, sealed = EXCLUDED.sealed,
        created_at = EXCLUDED.created_at, failing_since = NULL, failed_at = NULL, gone_at = NULL
    RETURNING id`,
    values: { ...input, sealed: JSON.stringify(input.sealed) },
  })
  return rows[0]?.id ?? null
}

type OwnRow = { id: bigint; session_id: bigint; created_at: Date; gone_at: Date | null }

export async function listOwnSubscriptions(db: Db, userId: number): Promise<OwnRow[]> {
  const { rows } = await db.query<OwnRow>({
    name: 'push-list-own',
    text: 'SELECT id, session_id, created_at, gone_at FROM push_subscriptions WHERE user_id = $1 ORDER BY id DESC',
    values: [userId],
  })
  return rows
}

export async function deleteOwnSubscription(db: Db, input: { id: number; userId: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'push-delete-own',
    text: 'DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2',
    values: [input.id, input.userId],
  })
  return rowCount === 1
}

export type SubscriptionRow = { id: bigint; sealed: Sealed; locale: Locale }

const LIVE = `push_subscriptions p JOIN sessions s ON s.id = p.session_id JOIN users u ON u.id = p.user_id
  WHERE p.gone_at IS NULL AND s.revoked_at IS NULL AND u.blocked_at IS NULL AND (s.access_expires_at > $now OR EXISTS (
    SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $now))`

export async function listLiveSubscriptions(db: Db, input: { userId: number; now: Date }): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>({
    name: 'push-list-live',
    text: `SELECT p.id, p.sealed, u.locale FROM ${LIVE} AND p.user_id = $userId ORDER BY p.id`,
    values: input,
  })
  return rows
}

export type AskedRow = SubscriptionRow & { failing_since: Date | null; failed_at: Date | null; is_read: boolean }

export async function findLiveSubscription(
  db: Db,
  input: { id: string; userId: number; notificationId: string | null; now: Date },
): Promise<AskedRow | null> {
  const { rows } = await db.query<AskedRow>({
    name: 'push-find-live',
    text: `SELECT p.id, p.sealed, p.failing_since, p.failed_at, u.locale, EXISTS (SELECT FROM notifications n
        WHERE n.id = $notificationId::bigint AND n.read_at IS NOT NULL) AS is_read
      FROM ${LIVE} AND p.id = $id AND p.user_id = $userId`,
    values: input,
  })
  return rows[0] ?? null
}

export async function forgetBrowser(db: Db, input: { id: bigint; now: Date }): Promise<void> {
  await db.query({
    name: 'push-gone',
    text: 'UPDATE push_subscriptions SET gone_at = $2 WHERE id = $1',
    values: [input.id, input.now],
  })
}

/** Records a failed push. Failures since `from` belong to one series; after a longer quiet time a new series begins. */
export async function noteFailure(db: Db, input: { id: bigint; from: Date; now: Date }): Promise<Failing | null> {
  const { rows } = await db.query<Failing>({
    name: 'push-failed',
    text: `UPDATE push_subscriptions
      SET failing_since = CASE WHEN failed_at > $from THEN failing_since ELSE $now::timestamptz END, failed_at = $now
      WHERE id = $id RETURNING failing_since, failed_at`,
    values: input,
  })
  return rows[0] ?? null
}

export type Failing = { failing_since: Date; failed_at: Date }

export async function noteSuccess(db: Db, id: bigint): Promise<void> {
  await db.query({
    name: 'push-succeeded',
    text: 'UPDATE push_subscriptions SET failing_since = NULL, failed_at = NULL WHERE id = $1 AND failed_at IS NOT NULL',
    values: [id],
  })
}

export async function listSubscribers(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ user_id: number }>({ text: 'SELECT DISTINCT user_id FROM push_subscriptions' })
  return rows.map((row) => row.user_id)
}

/** The maximum tries of a push job after unexpected errors; push-pauses.ts handles unavailable push services. */
const MOST_TRIES = 10

export type QueuedPush = { payload: object; queue: string; priority: number; key: string; afterMs: number }

export async function queuePushJobs(db: Db, jobs: readonly QueuedPush[]): Promise<void> {
  await db.query({
    name: 'push-queue',
    text: `SELECT graphile_worker.add_job('send-push', payload::json, queue_name := queue, max_attempts := ${MOST_TRIES},
        job_key := key, priority := job.priority, run_at := now() + after * interval '1 millisecond')
      FROM unnest($payloads::text[], $queues::text[], $keys::text[], $priorities::int[], $pauses::float8[])
        AS job (payload, queue, key, priority, after)`,
    values: {
      payloads: jobs.map(({ payload }) => JSON.stringify(payload)),
      queues: jobs.map(({ queue }) => queue),
      keys: jobs.map(({ key }) => key),
      priorities: jobs.map(({ priority }) => priority),
      pauses: jobs.map(({ afterMs }) => afterMs),
    },
  })
}

export async function listAllSubscriptions(
  db: Db,
  input: { after: bigint; limit: number },
): Promise<{ id: bigint; sealed: Sealed }[]> {
  const { rows } = await db.query<{ id: bigint; sealed: Sealed }>({
    text: 'SELECT id, sealed FROM push_subscriptions WHERE id > $1 ORDER BY id LIMIT $2',
    values: [input.after, input.limit],
  })
  return rows
}

export async function resealSubscription(db: Db, input: { id: bigint; was: Sealed; fresh: Sealed }): Promise<void> {
  await db.query({
    text: 'UPDATE push_subscriptions SET sealed = $3::jsonb WHERE id = $1 AND sealed = $2::jsonb',
    values: [input.id, JSON.stringify(input.was), JSON.stringify(input.fresh)],
  })
}
