import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { healthBookOf } from '../health/health-book.ts'

/**
 * Hides the offers of suppliers with bad health. Suppliers due for a trial come first, or no trial would take place.
 */
export function showStandings(ctx: Context): void {
  const aside = healthBookOf(ctx)
    .aside()
    .map(({ supplierId }) => supplierId)
  const trying = aside.filter((id) => healthBookOf(ctx).slotOf(id) === 'open')
  const hidden = aside.filter((id) => healthBookOf(ctx).slotOf(id) !== 'open')
  catalogOf(ctx).setStandings({ hidden, trying })
  rentCatalogOf(ctx).setStandings({ hidden })
}
