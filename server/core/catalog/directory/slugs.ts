import type { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'

export type Kind = 'services' | 'countries'

type Slugs = {
  ofService: Map<string, string>
  ofCountry: Map<number, string>
  service: Map<string, ServiceRow>
  country: Map<string, CountryRow>
}

const known = new WeakMap<ReadonlyMap<string, ServiceRow>, Slugs>()

/** Returns URL names of services and countries. If two share a name, that of the less popular one also has its code. */
export function slugsOf(catalog: CatalogIndex): Slugs {
  // The map of services serves as cache key, because the catalogue replaces the map whenever names may have changed.
  const found = known.get(catalog.services)
  if (found !== undefined) return found
  const service = bySlug([...catalog.services.values()].map((row) => ({ row, id: row.code, name: row.name_en })))
  const country = bySlug([...catalog.countries.values()].map((row) => ({ row, id: String(row.id), name: row.name_en })))
  const slugs: Slugs = {
    service,
    country,
    ofService: new Map([...service].map(([slug, row]) => [row.code, slug])),
    ofCountry: new Map([...country].map(([slug, row]) => [row.id, slug])),
  }
  known.set(catalog.services, slugs)
  return slugs
}

function bySlug<Row>(entries: readonly { row: Row; id: string; name: string }[]): Map<string, Row> {
  const slugs = new Map<string, Row>()
  for (const { row, id, name } of entries) {
    const plain = slugify(name)
    const own = [plain, slugify(`${name} ${id}`), slugify(`${id} ${id}`)].find(
      (slug) => slug !== '' && !slugs.has(slug),
    )
    if (own !== undefined) slugs.set(own, row)
  }
  return slugs
}

function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
