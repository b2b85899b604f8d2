import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'

/** In some countries a claim expires three years after the end of its year. */
const KEEP_MS = 4 * 366 * DAY
const MONTHS_AHEAD = 2
/** Takes events of months that have no partition. */
const OTHER = 'events_other'
/** The key of an advisory lock ("mont" in ASCII): two nodes may work while the lease moves. */
const LOCK = 0x6d6f6e74
/** A partition's lock waits at most this long, because purchases wait behind it. The next hour tries again. */
const LOCK_WAIT_MS = 1_000

/** A partition of `events`. `endsAt` is null for the partition that takes everything else. */
type Part = { name: string; endsAt: Date | null }

/** Makes the partitions of the next months of `events`, and drops those whose newest row is past its time. */
export async function turnMonths(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const parts = await listParts(ctx.db)
  for (const startsAt of monthsWithout(parts, now)) {
    if (await alone(ctx, (tx) => makeMonth(tx, startsAt)))
      ctx.log.info({ month: startsAt }, 'a month of events was made')
  }
  const before = new Date(now.getTime() - KEEP_MS)
  for (const { name, endsAt } of parts) {
    if (endsAt !== null && endsAt > before) continue
    const drop = endsAt === null ? renewOther : dropMonth
    if (await alone(ctx, (tx) => drop(tx, { name, before }))) ctx.log.info({ name }, 'old events were dropped')
  }
}

async function listParts(db: Db): Promise<Part[]> {
  const { rows } = await db.query<Part>({
    name: 'months-list',
    text: `SELECT c.relname::text AS name, substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz AS "endsAt"
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass ORDER BY 2`,
  })
  return rows
}

/**
 * Returns the starts of the next months that no partition covers. The current month is not made: a purchase that was
 * routed elsewhere and waited for the new partition would fail.
 */
function monthsWithout(parts: readonly Part[], now: Date): Date[] {
  const covered = Math.max(...parts.map(({ endsAt }) => endsAt?.getTime() ?? 0))
  const starts = Array.from({ length: MONTHS_AHEAD }, (_, months) => monthStart(now, months + 1))
  return starts.filter((startsAt) => startsAt.getTime() >= covered)
}

function monthStart(at: Date, later: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later))
}

/** Runs `work` in a transaction unless another node does. Returns false if nothing was changed. */
async function alone(ctx: Context, work: (tx: Db) => Promise<boolean>): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    const { rows } = await tx.query<{ got: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock($1) AS got, set_config('lock_timeout', $2, true)`,
      values: [LOCK, `${LOCK_WAIT_MS}ms`],
    })
    return rows[0]?.got === true && (await work(tx))
  })
}

/** A month with rows elsewhere is left there. ATTACH, unlike CREATE … PARTITION OF, lets purchases go on. */
async function makeMonth(tx: Db, startsAt: Date): Promise<boolean> {
  const endsAt = monthStart(startsAt, 1)
  const name = `events_${startsAt.toISOString().slice(0, 7).replace('-', '_')}`
  const { rows } = await tx.query<{ wanted: boolean }>({
    text: `SELECT to_regclass($1) IS NULL AND NOT EXISTS (SELECT FROM ${OTHER} WHERE at >= $2 AND at < $3) AS wanted`,
    values: [name, startsAt, endsAt],
    limitMs: SLOW_LIMIT_MS,
  })
  if (rows[0]?.wanted !== true) return false
  await makeTable(tx, name)
  await tx.query({
    text: `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${startsAt.toISOString()}') TO ('${endsAt.toISOString()}')`,
    limitMs: SLOW_LIMIT_MS,
  })
  return true
}

async function makeTable(tx: Db, name: string): Promise<void> {
  await tx.query({ text: `CREATE TABLE ${name} (LIKE events, PRIMARY KEY (id))` })
  await tx.query({
    text: `CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  })
}

async function dropMonth(tx: Db, { name }: { name: string }): Promise<boolean> {
  const { rows } = await tx.query<{ there: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS there',
    values: [name],
  })
  if (rows[0]?.there !== true) return false
  await tx.query({ text: `DROP TABLE ${name}` })
  return true
}

async function renewOther(tx: Db, { before }: { before: Date }): Promise<boolean> {
  if (!(await isOtherOld(tx, before))) return false
  // An event may come between the look and the lock.
  await tx.query({ text: 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE' })
  if (!(await isOtherOld(tx, before))) return false
  await tx.query({ text: `DROP TABLE ${OTHER}` })
  await makeTable(tx, OTHER)
  await tx.query({ text: `ALTER TABLE events ATTACH PARTITION ${OTHER} DEFAULT` })
  return true
}

async function isOtherOld(tx: Db, before: Date): Promise<boolean> {
  const { rows } = await tx.query<{ old: boolean }>({
    text: `SELECT EXISTS (SELECT FROM ${OTHER}) AND NOT EXISTS (SELECT FROM ${OTHER} WHERE at > $1) AS old`,
    values: [before],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows[0]?.old === true
}
