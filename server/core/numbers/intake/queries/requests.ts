import type { Db } from '#server/house/db/pool.ts'

type Request = {
  supplierId: number
  receivedAt: Date
  address: string
  method: string
  query: string
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type StoredRequest = Request & { id: bigint; tries: number }

/**
 * Stores a supplier's request with an SMS and returns its id. Returns null for a replayed request, which is only
 * counted.
 */
export async function storeRequest(db: Db, request: Request & { onceKey: string | null }): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint; repeats: number }>({
    name: 'intake-request-store',
    text: `INSERT INTO intake_requests AS known (supplier_id, received_at, address, method, query, headers, body, once_key, state)
      VALUES ($supplierId, $receivedAt, $address, $method, $query, $headers, $body, $onceKey, 'stored')
      ON CONFLICT (supplier_id, once_key) WHERE once_key IS NOT NULL DO UPDATE SET repeats = known.repeats + 1
      RETURNING id, repeats`,
    values: { ...request, headers: JSON.stringify(request.headers) },
  })
  const [row] = rows
  return row === undefined || row.repeats > 0 ? null : row.id
}

export async function insertRefusedRequest(db: Db, request: Request & { reason: string }): Promise<void> {
  await db.query({
    name: 'intake-request-refused',
    text: `INSERT INTO intake_requests (supplier_id, received_at, address, method, query, headers, body, state, reason, settled_at)
      VALUES ($supplierId, $receivedAt, $address, $method, $query, $headers, $body, 'refused', $reason, $receivedAt)`,
    values: { ...request, headers: JSON.stringify(request.headers) },
  })
}

/** Sets the state of requests. Erases the text, of which messages have a copy, unless the state is `unread`. */
export async function settleRequests(
  db: Db,
  input: { ids: readonly bigint[]; state: 'processed' | 'ignored' | 'unread'; reason: string | null; now: Date },
): Promise<void> {
  await db.query({
    name: 'intake-request-settle',
    text: `UPDATE intake_requests SET state = $state, reason = $reason, settled_at = $now,
        body = CASE WHEN $state = 'unread' THEN body END, query = CASE WHEN $state = 'unread' THEN query ELSE '' END
      WHERE id = ANY ($ids) AND state = 'stored'`,
    values: input,
  })
}

/** Counts a try of a request. Returns false if somebody else has processed or tried the request since it was listed. */
export async function beginTry(db: Db, { id, tries }: Pick<StoredRequest, 'id' | 'tries'>): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'intake-request-try',
    text: `UPDATE intake_requests SET tries = tries + 1 WHERE id = $1 AND tries = $2 AND state = 'stored'`,
    values: [id, tries],
  })
  return rowCount === 1
}

const STORED = `id, supplier_id AS "supplierId", received_at AS "receivedAt", address, method, query, headers, body, tries`

export const ANY_STORED = `EXISTS (SELECT FROM intake_requests WHERE state = 'stored')`

/**
 * Lists unprocessed requests of suppliers, those with the fewest tries first, so that a failing request does not block
 * others.
 */
export async function listStoredRequests(
  db: Db,
  input: { supplierIds: readonly number[]; before: Date; limit: number },
): Promise<StoredRequest[]> {
  const { rows } = await db.query<StoredRequest>({
    name: 'intake-requests-stored',
    text: `SELECT ${STORED}
      FROM intake_requests WHERE state = 'stored' AND received_at <= $before AND supplier_id = ANY ($supplierIds)
      ORDER BY tries, id LIMIT $limit`,
    values: input,
  })
  return rows
}

/** Lists a supplier's unprocessed requests, including request `id`, those nearest in time to it first. */
export async function listStoredBeside(
  db: Db,
  input: { id: bigint; supplierId: number; from: Date; to: Date; limit: number },
): Promise<StoredRequest[]> {
  const { rows } = await db.query<StoredRequest>({
    name: 'intake-requests-beside',
    text: `SELECT ${STORED}
      FROM intake_requests WHERE state = 'stored' AND supplier_id = $supplierId AND received_at BETWEEN $from AND $to
      ORDER BY abs(id - $id) LIMIT $limit`,
    values: input,
  })
  return rows
}
