import type { Db } from '#server/house/db/pool.ts'

type Key = { supplierId: number; phone: string }

export async function beginTrial(db: Db, trial: Key & { refused: number; until: Date }): Promise<void> {
  await db.query({
    text: `INSERT INTO sim_bank_trials (supplier_id, phone, refused, until) VALUES ($supplierId, $phone, $refused, $until)
      ON CONFLICT ON CONSTRAINT sim_bank_trials_phone
      DO UPDATE SET refused = excluded.refused, until = excluded.until, came = 0, pushes = '[]'`,
    values: trial,
  })
}

export async function endTrial(db: Db, { supplierId, phone }: Key): Promise<void> {
  await db.query({
    text: 'DELETE FROM sim_bank_trials WHERE supplier_id = $1 AND phone = $2',
    values: [supplierId, phone],
  })
}

/** Records a push during a test of the bank. Returns whether to accept it, or null if the number is in no test. */
export async function notePush(
  db: Db,
  push: Key & { smsId: string; numeric: boolean; now: Date },
): Promise<boolean | null> {
  const { rows } = await db.query<{ accepted: boolean }>({
    name: 'sim-bank-trial-push',
    text: `UPDATE sim_bank_trials SET came = came + 1, pushes = CASE WHEN came >= 50 THEN pushes ELSE pushes ||
          jsonb_build_object('at', $now::timestamptz, 'sms_id', $smsId::text, 'numeric', $numeric::boolean, 'accepted', came >= refused) END
      WHERE supplier_id = $supplierId AND phone = $phone AND until > $now RETURNING came > refused AS accepted`,
    values: push,
  })
  return rows[0]?.accepted ?? null
}

export type TrialPush = { at: Date; smsId: string; numeric: boolean; accepted: boolean }

export async function listTrialPushes(db: Db, { supplierId, phone }: Key): Promise<TrialPush[]> {
  const { rows } = await db.query<TrialPush>({
    text: `SELECT (p->>'at')::timestamptz AS at, p->>'sms_id' AS "smsId", (p->>'numeric')::boolean AS numeric,
        (p->>'accepted')::boolean AS accepted
      FROM sim_bank_trials, jsonb_array_elements(pushes) WITH ORDINALITY AS e (p, place)
      WHERE supplier_id = $1 AND phone = $2 ORDER BY place`,
    values: [supplierId, phone],
  })
  return rows
}

/** Adds a job that gives a tested number back to the bank, in case the test is interrupted. */
export async function giveBackLater(db: Db, input: { supplierId: number; reference: string; at: Date }): Promise<void> {
  await db.query({
    text: `SELECT graphile_worker.add_job('abandon-attempt',
      json_build_object('supplierId', $supplierId::integer, 'reference', $reference::text), run_at := $at, max_attempts := 25)`,
    values: input,
  })
}
