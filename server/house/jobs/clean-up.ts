import type { Context } from '#server/house/context.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { turnMonths } from './months.ts'
import type { Step } from './retention/rule.ts'
import { RETENTION } from './retention/rules.ts'

const BATCH = 5_000
const MAX_BATCHES = 100

/**
 * Turns the months of events, then applies the retention rule of each table. A step that fails is logged, and the
 * remaining steps still run.
 */
export async function cleanUp(ctx: Context): Promise<void> {
  await logged(ctx, 'months of events', () => turnMonths(ctx))
  for (const [table, { steps = [] }] of Object.entries(RETENTION)) {
    for (const step of steps) await logged(ctx, table, () => runStep(ctx, table, step))
  }
  await logged(ctx, 'mails', () => giveUpMails(ctx))
  await logged(ctx, 'jobs of notifications', () => giveUpTelling(ctx))
  await logged(ctx, 'jobs of exports', () => giveUpExports(ctx))
}

async function logged({ log }: Context, step: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ error, step }, 'a step of the clean-up failed')
  }
}

/** Deletes old rows in batches. Rows that remain are left to the next hourly run. */
async function runStep(ctx: Context, table: string, step: Step): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - (step.keepMs?.(ctx.config) ?? 0))
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await changeBatch(ctx.db, { table, step, before })) < BATCH) return
  }
}

async function changeBatch(db: Db, input: { table: string; step: Step; before: Date }): Promise<number> {
  const { table, step, before } = input
  const change = step.blank === undefined ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${step.blank}`
  const { rowCount } = await db.query({
    text: `${change} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${step.rows} LIMIT $limit))`,
    values: { before, limit: BATCH },
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

async function giveUpMails({ db, log }: Context): Promise<void> {
  const unsent = await deleteExhausted(db, ['send-mail'])
  if (unsent > 0) log.error({ unsent }, 'mails were given up: the mail server took them at no attempt')
}

const TELLING = [
  'tell-notification',
  'mail-notification',
  'push-message',
  'send-push',
  'telegram-reply',
  'telegram-code',
  'telegram-notification',
  'telegram-update',
]

/** Deletes failed jobs that notify people. The loss is only a warning, because the site shows the same news. */
async function giveUpTelling({ db, log }: Context): Promise<void> {
  const untold = await deleteExhausted(db, TELLING)
  if (untold > 0) log.warn({ untold }, 'mails, pushes and answers were given up')
}

/** Deletes failed jobs that export data. privacy/export/fail-exports.ts has already notified the owners. */
async function giveUpExports({ db }: Context): Promise<void> {
  await deleteExhausted(db, ['export-data'])
}

/** Deletes jobs without attempts left, which contain addresses or codes and are never retried. */
async function deleteExhausted(db: Db, tasks: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
      WHERE task_identifier = ANY ($1) AND attempts >= max_attempts AND locked_at IS NULL))`,
    values: [tasks],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows[0]?.count ?? 0
}
