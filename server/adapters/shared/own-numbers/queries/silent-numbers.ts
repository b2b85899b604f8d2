import type { Db } from '#server/house/db/pool.ts'

export type SilentNumber = {
  phone: string
  supplier: string
  country_id: number
  operator: string
  /** The service for which the number gets no messages. Null means all services. */
  service_code: string | null
  silent_at: Date
  silent_sales: number
}

type SilentFilter = { supplier: string | null; service: string | null; after: string | null; limit: number }

/**
 * Lists numbers that are off sale because they got no message in several sales. `service` chooses those off sale for
 * this service, and null those off sale for all services.
 */
export async function listSilent(db: Db, { service, ...filter }: SilentFilter): Promise<SilentNumber[]> {
  const { rows } = await db.query<SilentNumber>(
    service === null
      ? {
          text: `SELECT n.phone, s.code AS supplier, n.country_id, n.operator, NULL AS service_code, n.silent_at, n.silent_sales
            FROM smpp_numbers n JOIN suppliers s ON s.id = n.supplier_id
            WHERE n.silent_at IS NOT NULL AND ($supplier::text IS NULL OR s.code = $supplier)
              AND ($after::text IS NULL OR n.phone > $after)
            ORDER BY n.phone LIMIT $limit`,
          values: filter,
        }
      : {
          text: `SELECT u.phone, s.code AS supplier, u.country_id, u.operator, u.service_code, u.silent_at,
              u.times_offered AS silent_sales
            FROM smpp_number_uses u JOIN suppliers s ON s.id = u.supplier_id
            WHERE u.silent_at IS NOT NULL AND u.service_code = $service AND ($supplier::text IS NULL OR s.code = $supplier)
              AND ($after::text IS NULL OR u.phone > $after)
            ORDER BY u.phone LIMIT $limit`,
          values: { ...filter, service },
        },
  )
  return rows
}

type Wanted = { supplierId: number; phones: readonly string[] | null }

/** Puts numbers that got no message back on sale, behind all other numbers, and returns how many. */
export async function resumeSilent(tx: Db, wanted: Wanted): Promise<number> {
  const { rowCount } = await tx.query({
    text: `UPDATE smpp_numbers SET enabled = true, silent_at = NULL, silent_sales = 0, position = DEFAULT
      WHERE supplier_id = $supplierId AND silent_at IS NOT NULL AND ($phones::text[] IS NULL OR phone = ANY ($phones))`,
    values: wanted,
  })
  return rowCount
}

/** Puts numbers without messages back on sale for one service, except those that have got a code for it meanwhile. */
export async function resumeSilentUses(tx: Db, wanted: Wanted & { service: string; now: Date }): Promise<number> {
  const { rowCount } = await tx.query({
    text: `UPDATE smpp_number_uses u SET state = 'returned', times_offered = 1, changed_at = $now, restored_at = $now, silent_at = NULL
      WHERE supplier_id = $supplierId AND service_code = $service AND silent_at IS NOT NULL AND state = 'spent'
        AND ($phones::text[] IS NULL OR phone = ANY ($phones))
        AND NOT EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = u.phone AND b.service_code = u.service_code)`,
    values: wanted,
  })
  return rowCount
}
