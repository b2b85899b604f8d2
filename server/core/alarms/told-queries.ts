import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

/** Ten attempts to announce an alarm last about six hours; a later announcement has no use. */
const MAX_ATTEMPTS = 10

/** Queues an announcement. Jobs of one outlet run one at a time, so that a hanging outlet blocks only one worker. */
export async function queueTold(tx: Db, { task, payload }: { task: string; payload: object }): Promise<void> {
  await tx.query({
    name: 'alarm-queue',
    text: 'SELECT graphile_worker.add_job($1, $2::json, queue_name := $1, max_attempts := $3)',
    values: [task, JSON.stringify(payload), MAX_ATTEMPTS],
  })
}

export async function findStaffLocale(db: Db, email: string | null): Promise<Locale | null> {
  const { rows } = await db.query<{ locale: Locale }>({
    name: 'alarm-locale',
    text: `SELECT locale FROM users WHERE erased_at IS NULL AND (lower(email) = lower($1) OR role = 'operator')
      ORDER BY lower(email) = lower($1) DESC NULLS LAST, id LIMIT 1`,
    values: [email],
  })
  return rows[0]?.locale ?? null
}
