import type { Db } from '#server/house/db/pool.ts'

const MOST_TRIES = 12
export const NOTICE_PRIORITY = 10

/** Queues a Telegram message for a user with a linked chat, once per notification. */
export async function queueForChat(db: Db, input: { id: string; userId: number; afterMs: number }): Promise<void> {
  await db.query({
    name: 'notification-for-chat',
    text: `SELECT graphile_worker.add_job('telegram-notification', json_build_object('id', $id::text),
      queue_name := 'telegram-' || user_id % 2, run_at := now() + $afterMs * interval '1 millisecond', max_attempts := ${MOST_TRIES},
      priority := ${NOTICE_PRIORITY}, job_key := 'telegram-notification:' || $id)
      FROM telegram_chats WHERE user_id = $userId AND closed_at IS NULL`,
    values: input,
  })
}
