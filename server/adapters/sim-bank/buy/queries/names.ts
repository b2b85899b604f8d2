import type { Db } from '#server/house/db/pool.ts'
import type { Country } from '#server/house/seed/country-slugs.ts'

export async function listCountries(db: Db): Promise<Country[]> {
  const { rows } = await db.query<Country>({
    name: 'sim-bank-countries',
    text: 'SELECT id, name_en AS name, dial FROM countries ORDER BY visible DESC, id',
  })
  return rows
}
