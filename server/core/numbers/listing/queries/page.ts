import type { NumberSearch } from '#server/core/numbers/listing/search-numbers.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'

export type PageFilter = {
  userId: number
  search: NumberSearch | null
  serviceCodes: string[] | null
  countryIds: number[] | null
  limit: number
  offset: number
}

export type Page<Row> = { rows: Row[]; total: number; totalCount: number }

export const FITS = `($serviceCodes::text[] IS NULL OR service_code = ANY ($serviceCodes)) AND ($countryIds::integer[] IS NULL OR country_id = ANY ($countryIds))
        AND (NOT $searched OR phone LIKE '%' || $phonePart || '%' OR service_code = ANY ($foundServices) OR country_id = ANY ($foundCountries))`

/** A page without numbers still has one row, with `total` and `total_count`. */
export type PageRow<Row> = Row & { total: bigint; total_count: bigint }

export function pageValues(filter: PageFilter): NamedValues {
  return {
    ...filter,
    searched: filter.search !== null,
    phonePart: filter.search?.phonePart ?? null,
    foundServices: filter.search?.serviceCodes ?? [],
    foundCountries: filter.search?.countryIds ?? [],
  }
}

export function pageOf<Row extends { id: bigint }>(rows: PageRow<Row>[]): Page<Row> {
  const found = rows.filter((row) => row.id !== null)
  return { rows: found, total: Number(rows[0]?.total ?? 0n), totalCount: Number(rows[0]?.total_count ?? 0n) }
}
