import type { QualityReply } from '#contract/past/history.ts'
import { DAY } from '#contract/time.ts'
import type { CatalogIndex } from '#server/catalog/offers/catalog-index.ts'
import { MEASURED_MS } from '#server/catalog/offers/load-catalog.ts'
import { splitPairKey } from '#server/catalog/offers/offers-by-pair.ts'
import {
  addOutcomes,
  MINIMUM_SAMPLE,
  medianSeconds,
  noOutcomes,
  type Outcomes,
  p90Seconds,
  successShare,
} from '#server/catalog/offers/outcome-bounds.ts'
import type { Context } from '#server/context.ts'

type QualityRow = QualityReply['data'][number]

/** Everybody's purchases of seven days, in stock or not. Closed services and small samples are left out. */
export async function listQuality(
  ctx: Context,
  filter: { service_id?: string | undefined; country_id?: number | undefined; page: number; per_page: number },
): Promise<QualityReply> {
  const { service_id: serviceId, country_id: countryId, page, per_page: perPage } = filter
  const fitting = measured(ctx.catalog).filter(
    (row) =>
      (serviceId === undefined || row.service_id === serviceId) &&
      (countryId === undefined || row.country_id === countryId),
  )
  return {
    status: true,
    days: MEASURED_MS / DAY,
    minimum_sample: MINIMUM_SAMPLE,
    data: fitting.slice((page - 1) * perPage, page * perPage),
    meta: { last_page: Math.max(1, Math.ceil(fitting.length / perPage)), total: fitting.length },
  }
}

/** Cached per load of the catalogue, because measurements change only then. */
const remembered = new WeakMap<ReturnType<CatalogIndex['measured']>, QualityRow[]>()

function measured(catalog: CatalogIndex): QualityRow[] {
  const found = remembered.get(catalog.measured())
  if (found !== undefined) return found
  const places = { services: placesOf(catalog.services.keys()), countries: placesOf(catalog.countries.keys()) }
  const rows = [...catalog.measured()]
    .flatMap(([key, list]) => {
      const { serviceCode, countryId } = splitPairKey(key)
      const service = catalog.services.get(serviceCode)
      if (service === undefined || service.blocked_at !== null || !catalog.countries.has(countryId)) return []
      const byOperator = Map.groupBy(list, ({ operator }) => operator)
      return [...byOperator].flatMap(([operator, group]) => toRow({ serviceCode, countryId, operator }, group))
    })
    .sort(
      (a, b) =>
        (places.services.get(a.service_id) ?? 0) - (places.services.get(b.service_id) ?? 0) ||
        (places.countries.get(a.country_id) ?? 0) - (places.countries.get(b.country_id) ?? 0) ||
        (a.operator < b.operator ? -1 : 1),
    )
  remembered.set(catalog.measured(), rows)
  return rows
}

function placesOf<Id>(ids: Iterable<Id>): Map<Id, number> {
  return new Map([...ids].map((id, place) => [id, place]))
}

/** Empty below the minimum sample. */
function toRow(
  of: { serviceCode: string; countryId: number; operator: string },
  group: readonly { outcomes: Outcomes }[],
): QualityRow[] {
  const sum = noOutcomes()
  for (const { outcomes } of group) addOutcomes(sum, outcomes)
  const share = successShare(sum)
  if (share === null) return []
  return [
    {
      service_id: of.serviceCode,
      country_id: of.countryId,
      operator: of.operator,
      purchases: sum.purchases,
      success_share: share,
      median_seconds: medianSeconds(sum),
      p90_seconds: p90Seconds(sum),
    },
  ]
}
