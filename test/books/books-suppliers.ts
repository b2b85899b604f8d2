import type { Pool } from '#server/house/db/pool.ts'

/** Inserts suppliers and numbers in each state that the commands of staff can change, with their events and alarms. */
export async function fillSuppliers(pool: Pool, { supplierId, ago }: { supplierId: number; ago: Date }): Promise<void> {
  await pool.query({
    text: `INSERT INTO suppliers (code, kind, created_at, paused_at) VALUES ('old', 'smpp', $1, $1), ('broken', 'smpp', $1, NULL)`,
    values: [ago],
  })
  await pool.query({
    text: `INSERT INTO supplier_standings (supplier_id, state, cause, reason, since, try_at)
      SELECT id, 'aside', 'errors', 'no answer', $1, $1 FROM suppliers WHERE code = 'broken'`,
    values: [ago],
  })
  await pool.query({
    text: `INSERT INTO supplier_events (supplier_id, at, kind, reason) VALUES ($1, $2, 'link-down', 'gone')`,
    values: [supplierId, ago],
  })
  await pool.query({
    text: `INSERT INTO alarms (name, about, began_at) VALUES ('link-down range', 'range', $1)`,
    values: [ago],
  })
  await pool.query({
    text: `INSERT INTO smpp_numbers (phone, supplier_id, country_id, operator, enabled, silent_at)
      VALUES ('77050000001', $1, 2, 'altel', true, NULL), ('77050000002', $1, 2, 'altel', false, $2)`,
    values: [supplierId, ago],
  })
}
