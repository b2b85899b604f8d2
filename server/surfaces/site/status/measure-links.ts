import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import { type CountryLinks, type Figure, figure, UNKNOWN, worseOf } from './measured.ts'
import { stateOf } from './thresholds.ts'

const SHOWN = 12

/** Counts the links that work, by country. Everything comes from memory, so a loss is seen at once. */
export function measureLinks(ctx: Context): { figure: Figure; countries: CountryLinks[] } {
  const { countries } = catalogOf(ctx)
  const byCountry = new Map<number, CountryLinks>()
  let [up, total] = [0, 0]
  for (const { supplierId, countryIds } of catalogOf(ctx).suppliedCountries()) {
    const supplied = [...countryIds]
    // A supplier that never had a list sells nothing.
    if (supplied.length === 0) continue
    const works = isWorking(ctx, supplierId)
    total += 1
    if (works) up += 1
    for (const id of supplied) {
      if (countries.get(id)?.visible !== true) continue
      const country = byCountry.get(id) ?? { id, up: 0, total: 0 }
      country.total += 1
      if (works) country.up += 1
      byCountry.set(id, country)
    }
  }
  if (total === 0) return { figure: UNKNOWN, countries: [] }
  const all = [...byCountry.values()]
  const state = all.some((country) => country.up === 0)
    ? worseOf('partly', stateOf('links', up / total))
    : stateOf('links', up / total)
  return { figure: figure(state, up / total), countries: mostImportant(all) }
}

/** A supplier without a standing link works unless it is set aside, or could not be started. */
function isWorking(ctx: Context, supplierId: number): boolean {
  const supplier = suppliersOf(ctx).get(supplierId)
  if (supplier === undefined || healthBookOf(ctx).of(supplierId).state === 'aside') return false
  return supplier.link?.().up ?? true
}

/** Lists countries without a link first, then those that have lost one, then those with most. */
function mostImportant(all: CountryLinks[]): CountryLinks[] {
  const share = ({ up, total }: CountryLinks) => up / total
  return all.toSorted((a, b) => share(a) - share(b) || b.total - a.total || a.id - b.id).slice(0, SHOWN)
}
