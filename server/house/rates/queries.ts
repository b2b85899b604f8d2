import type { Db } from '#server/house/db/pool.ts'

export type RateRow = { currency: string; rub_micros: bigint; source: string; updated_at: Date }
export type RateSource = { currency: string; kind: 'json' | 'cbr'; url: string; pointer: string; every_minutes: number }

/** SQL for the current price of a dollar in micros of a rouble; null if there is no rate. */
export const RUB_PER_USD = `(SELECT rub_micros FROM exchange_rates WHERE currency = 'usd')`

export async function findRate(db: Db, currency: string): Promise<RateRow | null> {
  const { rows } = await db.query<RateRow>({
    name: 'rate-find',
    text: 'SELECT currency, rub_micros, source, updated_at FROM exchange_rates WHERE currency = $1',
    values: [currency],
  })
  return rows[0] ?? null
}

export async function storeRate(
  tx: Db,
  input: { currency: string; rubMicros: bigint; source: string; now: Date },
): Promise<void> {
  await tx.query({
    name: 'rate-store',
    text: `WITH kept AS (
        INSERT INTO rate_history (currency, rub_micros, source, at, taken) VALUES ($currency, $rubMicros, $source, $now, true)
      )
      INSERT INTO exchange_rates (currency, rub_micros, source, updated_at) VALUES ($currency, $rubMicros, $source, $now)
      ON CONFLICT (currency) DO UPDATE SET rub_micros = $rubMicros, source = $source, updated_at = $now`,
    values: input,
  })
}

/** Records a doubtful rate, too far from the previous rate, without using it. Skips a repeat of the newest record. */
export async function storeDoubtful(
  tx: Db,
  input: { currency: string; rubMicros: bigint; source: string; now: Date },
): Promise<void> {
  await tx.query({
    name: 'rate-doubtful',
    text: `INSERT INTO rate_history (currency, rub_micros, source, at, taken)
      SELECT $currency, $rubMicros, $source, $now, false
      WHERE NOT EXISTS (SELECT FROM (SELECT rub_micros, taken FROM rate_history WHERE currency = $currency
        ORDER BY id DESC LIMIT 1) newest WHERE NOT taken AND rub_micros = $rubMicros)`,
    values: input,
  })
}

/** Returns the doubtful rate that staff refused when they set the current rate, or null. */
export async function findRefused(tx: Db, currency: string): Promise<bigint | null> {
  const { rows } = await tx.query<{ rub_micros: bigint }>({
    name: 'rate-refused',
    text: `SELECT rub_micros FROM rate_history WHERE currency = $1 AND NOT taken
        AND (SELECT taken AND source = 'rate:set' FROM rate_history WHERE currency = $1 ORDER BY id DESC LIMIT 1)
      ORDER BY id DESC LIMIT 1`,
    values: [currency],
  })
  return rows[0]?.rub_micros ?? null
}

export async function listDueSources(db: Db, now: Date): Promise<RateSource[]> {
  const { rows } = await db.query<RateSource>({
    name: 'rate-sources-due',
    text: 'SELECT currency, kind, url, pointer, every_minutes FROM rate_sources WHERE next_at <= $1 ORDER BY currency',
    values: [now],
  })
  return rows
}

/** Records the reply of a source of rates. Returns whether an outage of the source begins or ends with it. */
export async function noteAnswer(
  db: Db,
  input: { currency: string; now: Date; nextAt: Date; failure: string | null },
): Promise<{ begins: boolean; ends: boolean }> {
  const { rows } = await db.query<{ since: Date | null }>({
    name: 'rate-source-noted',
    text: `UPDATE rate_sources s SET next_at = $nextAt,
        failing_since = CASE WHEN $failure::text IS NOT NULL THEN COALESCE(s.failing_since, $now) END,
        last_success_at = CASE WHEN $failure::text IS NULL THEN $now ELSE last_success_at END,
        last_failure_at = CASE WHEN $failure::text IS NULL THEN last_failure_at ELSE $now END,
        last_failure = COALESCE($failure, last_failure)
      FROM (SELECT currency, failing_since AS since FROM rate_sources WHERE currency = $currency) was WHERE s.currency = was.currency
      RETURNING was.since`,
    values: input,
  })
  const wasFailing = rows[0]?.since != null
  return { begins: input.failure !== null && !wasFailing, ends: input.failure === null && wasFailing }
}

/**
 * Lists the currencies whose rate is old or doubtful. A rate is old if neither its source nor staff confirmed it since
 * `before`; a source whose values staff refuse does not make it old. A rate is doubtful if the newest reply of its
 * source was not accepted.
 */
export async function listRateFaults(
  db: Db,
  before: Date,
): Promise<{ currency: string; old: boolean; doubtful: boolean }[]> {
  const { rows } = await db.query<{ currency: string; old: boolean; doubtful: boolean }>({
    name: 'rate-faults',
    text: `SELECT r.currency, EXISTS (SELECT FROM rate_sources s WHERE s.currency = r.currency AND GREATEST(r.updated_at, s.last_success_at) < $1) AS old,
        NOT COALESCE((SELECT taken FROM rate_history h WHERE h.currency = r.currency ORDER BY id DESC LIMIT 1), true) AS doubtful
      FROM exchange_rates r ORDER BY r.currency`,
    values: [before],
  })
  return rows
}

export async function putSource(tx: Db, source: RateSource & { now: Date }): Promise<void> {
  await tx.query({
    text: `INSERT INTO rate_sources (currency, kind, url, pointer, every_minutes, next_at)
      VALUES ($currency, $kind, $url, $pointer, $every_minutes, $now)
      ON CONFLICT (currency) DO UPDATE SET kind = $kind, url = $url, pointer = $pointer, every_minutes = $every_minutes, next_at = $now`,
    values: source,
  })
}

export async function deleteSource(tx: Db, currency: string): Promise<boolean> {
  const { rowCount } = await tx.query({ text: 'DELETE FROM rate_sources WHERE currency = $1', values: [currency] })
  return rowCount === 1
}

export type RateSheet = {
  currency: string
  rub_micros: bigint | null
  source: string | null
  updated_at: Date | null
  url: string | null
  last_success_at: Date | null
  last_failure_at: Date | null
  failing_since: Date | null
  last_failure: string | null
  refused_micros: bigint | null
}

export async function listRates(db: Db): Promise<RateSheet[]> {
  const { rows } = await db.query<RateSheet>({
    text: `SELECT COALESCE(r.currency, s.currency) AS currency, r.rub_micros, r.source, r.updated_at, s.url, s.last_success_at,
        s.last_failure_at, s.failing_since, s.last_failure, (SELECT CASE WHEN taken THEN NULL ELSE rub_micros END FROM rate_history h
          WHERE h.currency = r.currency ORDER BY id DESC LIMIT 1) AS refused_micros
      FROM exchange_rates r FULL JOIN rate_sources s USING (currency) ORDER BY 1`,
  })
  return rows
}
