import type { Db } from '#server/db/pool.ts'
import type { NumberSearch } from '#server/numbers/listing/search-numbers.ts'

export type PageFilter = {
  userId: number
  /** null: no search. */
  search: NumberSearch | null
  serviceCodes: string[] | null
  countryIds: number[] | null
  limit: number
  offset: number
}

/** `total` fit the filter, `totalCount` are active in all. */
export type Page<Row> = { rows: Row[]; total: number; totalCount: number }

/** Whether a row fits the filter: SQL for a statement of `queryPage`. */
export const FITS = `($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
        AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7))`

/**
 * Runs a statement that lists a page of a buyer's numbers: his id is $1, FITS has $2 to $7, the limit and offset are $8 and
 * $9. Each row has `total` and `total_count` beside it; when none fits, there is one row of these alone.
 */
export async function queryPage<Row extends { id: bigint }>(
  db: Db,
  statement: { name: string; text: string },
  filter: PageFilter,
): Promise<Page<Row>> {
  const { rows } = await db.query<Row & { total: bigint; total_count: bigint }>({
    ...statement,
    values: [
      filter.userId,
      filter.serviceCodes,
      filter.countryIds,
      filter.search !== null,
      filter.search?.phonePart ?? null,
      filter.search?.serviceCodes ?? [],
      filter.search?.countryIds ?? [],
      filter.limit,
      filter.offset,
    ],
  })
  const found = rows.filter((row) => row.id !== null)
  return { rows: found, total: Number(rows[0]?.total ?? 0n), totalCount: Number(rows[0]?.total_count ?? 0n) }
}
