/** Failed tries come later and later; what is late by then is not sent. */
const MOST_TRIES = 12
/** Before notices: news are told to hundreds at once. */
const PUSH_PRIORITY = -10
const MOST_PUSH_TRIES = 10

/**
 * CTEs for the statement that stores a message. One row and one job for a chat that wants codes; one job for whoever has a
 * browser for push, when the last SELECT says `PUSH_RUNS`. `source` has message_id and user_id; the statement gives the value `$now`.
 * A LIMIT keeps PostgreSQL at the index: EXISTS becomes a join that reads everybody's browsers.
 * The job of the chat is queued in the list of columns, because PostgreSQL runs a CTE that writes, whether it is read or not.
 */
export function toldCodesSql(source: string): string {
  return `told_codes AS (
      INSERT INTO telegram_codes (message_id, user_id, job_id, queued_at)
      SELECT message_id, chat.user_id, (graphile_worker.add_job('telegram-code',
        json_build_object('messageId', message_id::text, 'userId', chat.user_id), queue_name := 'telegram-' || chat.user_id % 2,
        max_attempts := ${MOST_TRIES})).id, $now
      FROM ${source} told JOIN telegram_chats chat ON chat.user_id = told.user_id
      WHERE chat.wants_codes AND chat.closed_at IS NULL
      ON CONFLICT ON CONSTRAINT telegram_codes_once DO NOTHING
    ), pushed_codes AS (
      SELECT count(graphile_worker.add_job('push-message',
        json_build_object('messageId', message_id::text, 'userId', told.user_id, 'at', $now::timestamptz),
        priority := ${PUSH_PRIORITY}, max_attempts := ${MOST_PUSH_TRIES}))
      FROM ${source} told
      WHERE (SELECT p.id FROM push_subscriptions p WHERE p.user_id = told.user_id AND p.gone_at IS NULL LIMIT 1) IS NOT NULL
    )`
}

/** PostgreSQL runs a CTE that only reads when it is read: put this into the WHERE of the last SELECT. */
export const PUSH_RUNS = '(SELECT count FROM pushed_codes) >= 0'
