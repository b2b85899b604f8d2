import { FULL_NUMBER } from '#contract/rental.ts'
import type { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import type { ServiceRow } from '#server/core/catalog/offers/queries.ts'
import { countrySlugs as fieldSlugs } from '#server/house/seed/country-slugs.ts'
import { readCountrySlugs, readServiceSlugs, withOwn } from '#server/house/seed/slugs.ts'

type Names = {
  /** Returns the service of a product for activations. Products for rentals are listed in hosting.ts. */
  serviceOf(product: string): string | undefined
  countryOf(slug: string): number | undefined
  productOf(serviceCode: string): string
  slugOf(countryId: number): string
}

const serviceSlugs = readServiceSlugs()
const countrySlugs = readCountrySlugs()
const known = new WeakMap<ReadonlyMap<string, ServiceRow>, Names>()

export function namesOf(catalog: CatalogIndex): Names {
  // The catalogue replaces its map of services whenever services change, so the map is a valid cache key.
  const found = known.get(catalog.services)
  if (found !== undefined) return found
  const services = withOwn(serviceSlugs, catalog.services.keys())
  const countries = withOwn(countrySlugs, [...catalog.countries.keys()].map(String))
  // Other marketplaces' slugs, for example `uk` and `uae`, are accepted too.
  const others = fieldSlugs([...catalog.countries.values()].map(({ id, name_en: name, dial }) => ({ id, name, dial })))
  const products = inverted(services)
  const places = inverted(countries)
  const names: Names = {
    serviceOf(product) {
      const code = services.get(product)
      return code !== undefined && code !== FULL_NUMBER && catalog.services.has(code) ? code : undefined
    },
    countryOf(slug) {
      const id = countries.get(slug)
      const found = id === undefined ? others.find(slug) : Number(id)
      return found !== undefined && catalog.countries.has(found) ? found : undefined
    },
    productOf: (code) => products.get(code) ?? code,
    slugOf: (id) => places.get(String(id)) ?? String(id),
  }
  known.set(catalog.services, names)
  return names
}

function inverted(slugs: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...slugs].map(([slug, id]) => [id, slug]))
}
