import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/db/pool.ts'

type Sealed = Record<string, unknown>

export type PushKeysRow = { public_key: string; private_key: Sealed }

/** The first one stays, whoever comes at the same time. */
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
 * In the place of an earlier one of this browser, whoever was signed in there; the oldest beyond `most` go. Null when the
 * session has ended meanwhile.
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
    )
    INSERT INTO push_subscriptions (user_id, session_id, endpoint_hash, sealed, created_at)
    SELECT user_id, id, $endpointHash, $sealed::jsonb, $now FROM session
    ON CONFLICT ON CONSTRAINT push_subscriptions_endpoint DO UPDATE
      SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, sealed = EXCLUDED.sealed,
        created_at = EXCLUDED.created_at, failures = 0
    RETURNING id`,
    values: { ...input, sealed: JSON.stringify(input.sealed) },
  })
  return rows[0]?.id ?? null
}

export async function listOwnSubscriptions(
  db: Db,
  userId: number,
): Promise<{ id: bigint; session_id: bigint; created_at: Date }[]> {
  const { rows } = await db.query<{ id: bigint; session_id: bigint; created_at: Date }>({
    name: 'push-list-own',
    text: 'SELECT id, session_id, created_at FROM push_subscriptions WHERE user_id = $1 ORDER BY id DESC',
    values: [userId],
  })
  return rows
}

/** False when it is nobody's or somebody else's. */
export async function deleteOwnSubscription(db: Db, input: { id: number; userId: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'push-delete-own',
    text: 'DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2',
    values: [input.id, input.userId],
  })
  return rowCount === 1
}

export type SubscriptionRow = { id: bigint; sealed: Sealed; locale: Locale }

/** Of sessions that can be used or refreshed. */
const LIVE = `push_subscriptions p JOIN sessions s ON s.id = p.session_id JOIN users u ON u.id = p.user_id
  WHERE s.revoked_at IS NULL AND u.blocked_at IS NULL AND (s.access_expires_at > $now OR EXISTS (
    SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $now))`

export async function listLiveSubscriptions(db: Db, input: { userId: number; now: Date }): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>({
    name: 'push-list-live',
    text: `SELECT p.id, p.sealed, u.locale FROM ${LIVE} AND p.user_id = $userId ORDER BY p.id`,
    values: input,
  })
  return rows
}

/** While it is still this person's. `is_read`: the notification that it is about has been read. */
export async function findLiveSubscription(
  db: Db,
  input: { id: string; userId: number; notificationId: string | null; now: Date },
): Promise<(SubscriptionRow & { failures: number; is_read: boolean }) | null> {
  const { rows } = await db.query<SubscriptionRow & { failures: number; is_read: boolean }>({
    name: 'push-find-live',
    text: `SELECT p.id, p.sealed, p.failures, u.locale, EXISTS (SELECT FROM notifications n
        WHERE n.id = $notificationId::bigint AND n.read_at IS NOT NULL) AS is_read
      FROM ${LIVE} AND p.id = $id AND p.user_id = $userId`,
    values: input,
  })
  return rows[0] ?? null
}

export async function deleteSubscription(db: Db, id: bigint): Promise<void> {
  await db.query({ name: 'push-delete', text: 'DELETE FROM push_subscriptions WHERE id = $1', values: [id] })
}

/** Ends one that has failed `most` times in a row. */
export async function noteFailure(db: Db, input: { id: bigint; most: number }): Promise<void> {
  await db.query({
    name: 'push-failed',
    text: `WITH failed AS (
      UPDATE push_subscriptions SET failures = failures + 1 WHERE id = $id AND failures + 1 < $most RETURNING id
    )
    DELETE FROM push_subscriptions WHERE id = $id AND NOT EXISTS (SELECT FROM failed)`,
    values: input,
  })
}

export async function noteSuccess(db: Db, id: bigint): Promise<void> {
  await db.query({
    name: 'push-succeeded',
    text: 'UPDATE push_subscriptions SET failures = 0 WHERE id = $1 AND failures > 0',
    values: [id],
  })
}

export async function listSubscribers(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ user_id: number }>({ text: 'SELECT DISTINCT user_id FROM push_subscriptions' })
  return rows.map((row) => row.user_id)
}

const MOST_TRIES = 4

export async function queuePushJobs(
  db: Db,
  jobs: readonly { payload: Sealed; queue: string; priority: number; key: string | null }[],
): Promise<void> {
  await db.query({
    name: 'push-queue',
    text: `SELECT graphile_worker.add_job('send-push', payload::json, queue_name := queue, max_attempts := ${MOST_TRIES},
        job_key := key, priority := job.priority)
      FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) AS job (payload, queue, key, priority)`,
    values: [
      jobs.map(({ payload }) => JSON.stringify(payload)),
      jobs.map(({ queue }) => queue),
      jobs.map(({ key }) => key),
      jobs.map(({ priority }) => priority),
    ],
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
