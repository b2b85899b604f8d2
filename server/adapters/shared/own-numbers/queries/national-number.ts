import type { Db } from '#server/house/db/pool.ts'

/**
 * Finds the phone number that digits mean: complete, without country code, or with 0 instead. Null if several or none.
 */
export async function findNationalNumber(
  db: Db,
  input: { supplierId: number; digits: string },
): Promise<string | null> {
  const { rows } = await db.query<{ phone: string }>({
    name: 'smpp-find-national',
    // An array is looked up by the primary key, but a subquery would read the whole range.
    text: `SELECT phone FROM smpp_numbers WHERE supplier_id = $supplierId AND phone = ANY (ARRAY(
        SELECT $digits::text UNION SELECT dial || $digits FROM countries UNION
        SELECT dial || substr($digits, 2) FROM countries WHERE $digits LIKE '0%'))`,
    values: input,
  })
  const phones = rows.map(({ phone }) => phone)
  if (phones.includes(input.digits)) return input.digits
  return phones.length === 1 ? (phones[0] ?? null) : null
}
