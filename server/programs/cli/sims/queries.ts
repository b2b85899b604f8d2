import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type ListedSim = {
  phone: string
  supplier: string
  device: string
  slot: string
  country_id: number
  operator: string
  state: string
  reason: string | null
  state_since: Date
  rest_until: Date | null
  added_at: Date
  last_sms_at: Date | null
  /** The number of orders per service that got their code since the SIM card was inserted. */
  sales: Record<string, number>
}

export type SimFilter = {
  supplier: string | null
  phone: string | null
  device: string | null
  state: string | null
  after: string | null
  limit: number
}

export async function listSimsWithSales(db: Db, filter: SimFilter): Promise<ListedSim[]> {
  const { rows } = await db.query<ListedSim>({
    text: `SELECT c.phone, s.code AS supplier, c.device, c.slot, n.country_id, n.operator, c.state, c.reason, c.state_since,
        c.rest_until, c.added_at,
        (SELECT max(m.received_at) FROM messages m WHERE m.phone = c.phone AND m.supplier_id = c.supplier_id) AS last_sms_at,
        COALESCE((SELECT jsonb_object_agg(service_code, sold) FROM (
          SELECT l.service_code, count(*)::integer AS sold FROM smpp_leases l
          WHERE l.phone = c.phone AND l.supplier_id = c.supplier_id AND l.state = 'ended' AND l.ending <> 'unsold'
            AND l.ending = 'finished' AND l.ended_at > c.added_at GROUP BY l.service_code) sums), '{}') AS sales
      FROM sims c JOIN smpp_numbers n ON n.phone = c.phone JOIN suppliers s ON s.id = c.supplier_id
      WHERE ($supplier::text IS NULL OR s.code = $supplier) AND ($phone::text IS NULL OR c.phone = $phone)
        AND ($device::text IS NULL OR c.device = $device) AND ($state::text IS NULL OR c.state = $state)
        AND ($after::text IS NULL OR c.phone > $after)
      ORDER BY c.phone LIMIT $limit`,
    values: filter,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
