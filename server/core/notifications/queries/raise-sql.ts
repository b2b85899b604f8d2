import { CATEGORY_OF, DEFAULT_CHANNELS } from '#contract/notifications/notification.ts'

const CATEGORIES = `'${JSON.stringify(CATEGORY_OF)}'::jsonb`
const DEFAULTS = `'${JSON.stringify(DEFAULT_CHANNELS)}'::jsonb`
const MOST_TELLS = 5

/**
 * Returns CTEs that notify users in the causing statement, which needs a value `$now`. The last CTE, `notified`, has id
 * and user_id; the job `tell-notification` commits with it. `source` names a CTE with user_id, kind, details (jsonb),
 * link and dedupe_key. `readAt` is SQL over `source`: the time of reading if the user's own act caused the
 * notification, or else null. Skips sandbox accounts, and users who turned off all channels of the category.
 */
export function notifySql(source: string, readAt = 'NULL::timestamptz'): string {
  return `wanted AS (
      SELECT s.*, ${readAt} AS read_at, ${CATEGORIES} ->> s.kind AS category,
        ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> (${CATEGORIES} ->> s.kind), ${DEFAULTS} -> (${CATEGORIES} ->> s.kind)))) AS channels
      FROM ${source} s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
      WHERE NOT EXISTS (SELECT FROM users shadow WHERE shadow.id = s.user_id AND shadow.sandbox_of IS NOT NULL)
    ), notified AS (
      INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at, read_at)
      SELECT user_id, category, kind, details, link, dedupe_key, channels, $now, read_at FROM wanted WHERE channels <> '{}'
      ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING
      RETURNING id, user_id
    ), notify_jobs AS (
      SELECT count(graphile_worker.add_job('tell-notification', json_build_object('id', id::text), max_attempts := ${MOST_TELLS}))
      FROM notified
    )`
}

/** A condition for the WHERE of the last SELECT. Without it, PostgreSQL would skip the CTE that queues the jobs. */
export const NOTIFY_RUNS = '(SELECT count FROM notify_jobs) >= 0'
