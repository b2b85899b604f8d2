import type { Db } from '#server/house/db/pool.ts'

/** SQL: queues the job that requests a refund from its gateway. Each refund has one job at a time. */
const queued = (reversalId: string) =>
  `graphile_worker.add_job('refund-payment', json_build_object('reversalId', ${reversalId}::text), max_attempts := 25,
    job_key := 'refund-' || ${reversalId})`

export async function queueRefund(tx: Db, reversalId: bigint): Promise<void> {
  const text = `SELECT ${queued('$1::text')}`
  await tx.query({ name: 'refund-queue', text, values: [reversalId.toString()] })
}

/** Queues refunds without a gateway's answer that no job requests any more, because their last try failed. */
export async function queueForgottenRefunds(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'refunds-forgotten',
    text: `SELECT ${queued('id')} FROM (
        SELECT id::text FROM reversals r WHERE state = 'asked' AND provider_id IS NULL
          AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'refund-' || r.id
            AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
        ORDER BY r.id LIMIT $1) forgotten`,
    values: [limit],
  })
  return rowCount
}

export async function cancelRefunds(
  tx: Db,
  input: { paymentId: bigint; now: Date },
): Promise<{ id: bigint; amount_micros: bigint }[]> {
  const { rows } = await tx.query<{ id: bigint; amount_micros: bigint }>({
    name: 'refunds-cancel',
    text: `UPDATE reversals SET cancel_at = $now WHERE payment_id = $paymentId AND state = 'asked' AND provider_id IS NULL
      RETURNING id, amount_micros`,
    values: input,
  })
  return rows
}
