import type { Db } from '#server/db/pool.ts'

/** Ten attempts last about six hours; later nobody needs to hear of it. */
const MAX_ATTEMPTS = 10

/** Of one outlet one at a time: one that hangs holds one worker. */
export async function queueTold(tx: Db, { task, payload }: { task: string; payload: object }): Promise<void> {
  await tx.query({
    name: 'alarm-queue',
    text: 'SELECT graphile_worker.add_job($1, $2::json, queue_name := $1, max_attempts := $3)',
    values: [task, JSON.stringify(payload), MAX_ATTEMPTS],
  })
}
