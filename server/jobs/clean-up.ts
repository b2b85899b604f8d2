import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'

const BATCH = 5_000
const MAX_BATCHES = 100

/** Forgets what must not be kept: the words of old messages, and tokens nobody can use any more. Run each hour. */
export async function cleanUp(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  await deleteExpiredTokens(ctx.db, now)
  const before = new Date(now.getTime() - ctx.config.messageKeepDays * DAY)
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await forgetMessages(ctx.db, before)) < BATCH) break
  }
}

async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM refresh_tokens WHERE expires_at <= $1', values: [now] })
}

/** The row stays for the books; the words and the code go. */
async function forgetMessages(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: `UPDATE messages SET body = NULL, code = NULL WHERE id IN (
      SELECT id FROM messages WHERE body IS NOT NULL AND received_at < $1 ORDER BY received_at LIMIT $2)`,
    values: [before, BATCH],
  })
  return rowCount
}
