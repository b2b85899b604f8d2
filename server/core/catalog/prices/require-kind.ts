import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { badCountry, badService } from '#server/house/errors/buying-errors.ts'

/** Requires that the service exists and may be sold, and that the country exists. Throws BAD_SERVICE, BAD_COUNTRY. */
export function requireKind(ctx: Context, kind: { serviceCode: string; countryId: number }): void {
  const service = catalogOf(ctx).services.get(kind.serviceCode)
  if (service === undefined || service.blocked_at !== null) throw badService()
  if (!catalogOf(ctx).countries.has(kind.countryId)) throw badCountry()
}
