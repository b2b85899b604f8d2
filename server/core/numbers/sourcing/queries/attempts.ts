type Kind = 'activation' | 'rental'

/**
 * The table of each kind of order, with the job that gives back a number. `reference` is SQL for the reference that the
 * supplier got from us.
 */
const TABLES = {
  activation: { table: 'activations', job: 'abandon-attempt', reference: `id || '-' || attempt` },
  rental: { table: 'rentals', job: 'abandon-rental', reference: `'r' || id || '-' || attempt` },
} as const

/** SQL: with `$abandon`, the CTE `abandoned` queues the job that gives a number back, for each row of `source`. */
export function abandonJobs(kind: Kind, source: string): string {
  const { job, reference } = TABLES[kind]
  return `abandoned AS (
    SELECT queue_job('${job}', json_build_object('supplierId', supplier_id, 'reference', ${reference}), 25)
    FROM ${source} WHERE $abandon
  )`
}

/** SQL: moves a reservation to its next attempt and records the failed one for staff. Takes NextAttempt's values. */
export function nextAttemptSql(kind: Kind, columns: string): string {
  const { table } = TABLES[kind]
  return `WITH left_behind AS (
      SELECT id, user_id, supplier_id, attempt FROM ${table} WHERE id = $id AND state = 'reserving' AND attempt = $attempt AND node_id = $nodeId FOR UPDATE
    ), attempt_event AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT $now, '${kind}.attempt-left', user_id, id, jsonb_build_object('attempt', attempt, 'unknown', $abandon::boolean,
        'supplier', (SELECT code FROM suppliers WHERE suppliers.id = left_behind.supplier_id))
      FROM left_behind
    ), ${abandonJobs(kind, 'left_behind')}
    UPDATE ${table} SET attempt = ${table}.attempt + 1, supplier_id = $supplierId, cost_limit_micros = $costLimitMicros,
      cost_currency = $costCurrency
    FROM left_behind WHERE ${table}.id = left_behind.id AND (SELECT count(*) FROM abandoned) >= 0
    RETURNING ${columns}`
}

export function orphansSql(kind: Kind, columns: string): string {
  return `SELECT ${columns} FROM ${TABLES[kind].table}
      WHERE state = 'reserving' AND node_id = $nodeId AND created_at <= $before AND (created_at, id) > ($afterAt, $afterId)
      ORDER BY created_at, id LIMIT $limit`
}

/**
 * SQL: takes over the orders of nodes that have ended. `work` is SQL for the orders that a node works on. An
 * order without a node comes from an earlier release.
 */
export function takeOverSql(kind: Kind, work: string): string {
  const { table } = TABLES[kind]
  return `UPDATE ${table} SET node_id = $nodeId
      WHERE (${work}) AND node_id IS DISTINCT FROM $nodeId
        AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = ${table}.node_id AND nodes.ended_at IS NULL)`
}
