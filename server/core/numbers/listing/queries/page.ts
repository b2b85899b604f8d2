import type { NumberSearch } from '#server/core/numbers/listing/search-numbers.ts'
import type { Db } from '#server/house/db/pool.ts'

export type PageFilter = {
  userId: number
  /** Null means no search. */
  search: NumberSearch | null
  serviceCodes: string[] | null
  countryIds: number[] | null
  limit: number
  offset: number
}

/** `total` matches the filter; `totalCount` are all active ones. */
export type Page<Row> = { rows: Row[]; total: number; totalCount: number }

/** A condition for `queryPage`. */
export const FITS = `($serviceCodes::text[] IS NULL OR service_code = ANY ($serviceCodes)) AND ($countryIds::integer[] IS NULL OR country_id = ANY ($countryIds))
        AND (NOT $searched OR phone LIKE '%' || $phonePart || '%' OR service_code = ANY ($foundServices) OR country_id = ANY ($foundCountries))`

/**
 * The statement uses FITS, `$userId`, `$limit`, `$offset` and returns `total` and `total_count`. An empty page has one
 * row of these alone.
 */
export async function queryPage<Row extends { id: bigint }>(
  db: Db,
  statement: { name: string; text: string },
  filter: PageFilter,
): Promise<Page<Row>> {
  const { rows } = await db.query<Row & { total: bigint; total_count: bigint }>({
    ...statement,
    values: {
      ...filter,
      searched: filter.search !== null,
      phonePart: filter.search?.phonePart ?? null,
      foundServices: filter.search?.serviceCodes ?? [],
      foundCountries: filter.search?.countryIds ?? [],
    },
  })
  const found = rows.filter((row) => row.id !== null)
  return { rows: found, total: Number(rows[0]?.total ?? 0n), totalCount: Number(rows[0]?.total_count ?? 0n) }
}
