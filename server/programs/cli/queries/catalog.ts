import type { Db } from '#server/house/db/pool.ts'

type ListedCountry = { id: number; name_en: string; iso2: string; dial: string; visible: boolean; offers: bigint }
type ListedService = { code: string; name_en: string; blocked_at: Date | null; offers: bigint }

const offersWhere = (
  condition: string,
) => `(SELECT count(*) FROM offers o JOIN suppliers p ON p.id = o.supplier_id AND p.removed_at IS NULL
        WHERE ${condition} AND o.stock > 0)`

/** Lists countries. `search` is a part of the name, or the ISO code. */
export async function listCountries(
  db: Db,
  filter: { search: string | null; after: bigint | null; limit: number },
): Promise<ListedCountry[]> {
  const { rows } = await db.query<ListedCountry>({
    text: `SELECT id, name_en, iso2, dial, visible, ${offersWhere('o.country_id = c.id')} AS offers
      FROM countries c WHERE ($1::text IS NULL OR position(lower($1) IN lower(name_en)) > 0
        OR position(lower($1) IN lower(name_ru)) > 0 OR lower(iso2) = lower($1)) AND ($2::bigint IS NULL OR id > $2)
      ORDER BY id LIMIT $3`,
    values: [filter.search, filter.after, filter.limit],
  })
  return rows
}

/** Lists services. `search` is a part of the name, or the code. */
export async function listServices(
  db: Db,
  filter: { search: string | null; blocked: boolean; after: string | null; limit: number },
): Promise<ListedService[]> {
  const { rows } = await db.query<ListedService>({
    text: `SELECT code, name_en, blocked_at, ${offersWhere('o.service_code = s.code')} AS offers
      FROM services s WHERE ($search::text IS NULL OR position(lower($search) IN lower(name_en)) > 0
        OR position(lower($search) IN lower(name_ru)) > 0 OR code = $search) AND (NOT $blocked OR blocked_at IS NOT NULL)
        AND ($after::text IS NULL OR code COLLATE "C" > $after)
      ORDER BY code COLLATE "C" LIMIT $limit`,
    values: filter,
  })
  return rows
}

/**
 * Returns the given service codes and country ids that do not exist. Country ids are compared as text, because they may
 * be too large.
 */
export async function findUnknownNames(
  db: Db,
  named: { codes: readonly string[]; countries: readonly string[] },
): Promise<{ codes: string[]; countries: string[] }> {
  const { rows } = await db.query<{ codes: string[]; countries: string[] }>({
    text: `SELECT ARRAY(SELECT DISTINCT code FROM unnest($1::text[]) AS given (code)
        WHERE NOT EXISTS (SELECT FROM services s WHERE s.code = given.code) ORDER BY 1) AS codes,
      ARRAY(SELECT DISTINCT id FROM unnest($2::text[]) AS given (id)
        WHERE NOT EXISTS (SELECT FROM countries c WHERE c.id::text = given.id) ORDER BY 1) AS countries`,
    values: [named.codes, named.countries],
  })
  return rows[0] ?? { codes: [], countries: [] }
}
