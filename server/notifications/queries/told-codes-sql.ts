/** Failed tries come later and later; what is late by then is not sent. */
const MOST_TRIES = 12

/**
 * A CTE for the statement that stores a message: one row and one job for a chat that wants codes. `source` has message_id and
 * user_id; the statement gives the value `$now`. The job is queued in the list of columns, because PostgreSQL runs a CTE that writes, whether it is read or not.
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
    )`
}
