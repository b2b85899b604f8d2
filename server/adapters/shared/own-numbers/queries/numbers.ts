import pg from 'pg'
import type { Db, Query } from '#server/house/db/pool.ts'

export type NewNumber = { phone: string; countryId: number; operator: string }

/** Stores numbers and returns how many changed. Skips those of other suppliers and of resting or retired SIM cards. */
export async function upsertNumbers(db: Db, supplierId: number, batch: readonly NewNumber[]): Promise<number> {
  const query: Query = {
    name: 'smpp-upsert-numbers',
    text: `INSERT INTO smpp_numbers AS known (supplier_id, phone, country_id, operator)
      SELECT $supplierId, * FROM unnest($phones::text[], $countryIds::integer[], $operators::text[])
      ON CONFLICT (phone) DO UPDATE
        SET country_id = EXCLUDED.country_id, operator = EXCLUDED.operator, enabled = true,
          silent_at = NULL, silent_sales = 0, position = EXCLUDED.position
        WHERE known.supplier_id = $supplierId
          AND (NOT known.enabled OR (known.country_id, known.operator) <> (EXCLUDED.country_id, EXCLUDED.operator))
          AND NOT EXISTS (SELECT FROM sims WHERE sims.phone = known.phone AND sims.state <> 'in_use')`,
    values: {
      supplierId,
      phones: batch.map((number) => number.phone),
      countryIds: batch.map((number) => number.countryId),
      operators: batch.map((number) => number.operator),
    },
  }
  try {
    return (await db.query(query)).rowCount
  } catch (error) {
    if (isForeignKeyViolation(error, 'smpp_numbers_country')) throw new Error('Bad numbers: a country id is unknown')
    throw error
  }
}

function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503' && error.constraint === constraint
}

export async function selectTaken(db: Db, supplierId: number, batch: readonly NewNumber[]): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>({
    name: 'smpp-select-taken',
    text: 'SELECT phone FROM smpp_numbers WHERE phone = ANY($2) AND supplier_id <> $1 ORDER BY phone',
    values: [supplierId, batch.map((number) => number.phone)],
  })
  return rows.map((row) => row.phone)
}

export async function disablePhones(db: Db, supplierId: number, phones: readonly string[]): Promise<number> {
  const { rowCount } = await db.query({
    name: 'smpp-disable-numbers',
    text: `UPDATE smpp_numbers SET enabled = false, silent_at = NULL
      WHERE supplier_id = $1 AND phone = ANY($2) AND (enabled OR silent_at IS NOT NULL)`,
    values: [supplierId, phones],
  })
  return rowCount
}
