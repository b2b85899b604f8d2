import type { QualityReply } from '#contract/past/history.ts'
import { DAY } from '#contract/time.ts'
import {
  addOutcomes,
  MINIMUM_SAMPLE,
  medianSeconds,
  noOutcomes,
  type Outcomes,
  p90Seconds,
  successShare,
} from '#server/core/catalog/health/outcome-bounds.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { MEASURED_MS } from '#server/core/catalog/offers/load-catalog.ts'
import { pairKey } from '#server/core/catalog/offers/offers-by-pair.ts'
import type { Context } from '#server/house/context.ts'
import { runYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'

type QualityRow = QualityReply['data'][number]

/**
 * Lists success rates and waiting times by service, country and operator, from all purchases of seven days. Blocked
 * services and small samples are left out.
 */
export async function listQuality(
  ctx: Context,
  filter: { service_id?: string | undefined; country_id?: number | undefined; page: number; per_page: number },
): Promise<QualityReply> {
  const { service_id: serviceId, country_id: countryId, page, per_page: perPage } = filter
  const fitting = (await rowsOf(catalogOf(ctx))).filter(
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

/** Rows are cached until the catalogue is loaded again, because measurements change only then. */
const remembered = new WeakMap<ReturnType<CatalogIndex['measured']>, Promise<QualityRow[]>>()

/** The number of services whose rows are made before the work yields to other calls. */
const SERVICES_AT_ONCE = 10

function rowsOf(catalog: CatalogIndex): Promise<QualityRow[]> {
  const known = remembered.get(catalog.measured())
  if (known !== undefined) return known
  const rows = runYielding(makeRows(catalog))
  remembered.set(catalog.measured(), rows)
  return rows
}

/**
 * Makes all rows, in the sequence of services, countries and operators. All rows come from one load of the catalogue,
 * even if the catalogue is loaded again meanwhile.
 */
function* makeRows(catalog: CatalogIndex): Yielding<QualityRow[]> {
  const [measured, services, countries] = [catalog.measured(), catalog.services, catalog.countries]
  const rows: QualityRow[] = []
  let left = SERVICES_AT_ONCE
  for (const { code: serviceCode, blocked_at: blockedAt } of services.values()) {
    if (blockedAt !== null) continue
    for (const countryId of countries.keys()) {
      const byOperator = Map.groupBy(measured.get(pairKey(serviceCode, countryId)) ?? [], ({ operator }) => operator)
      const inOrder = [...byOperator].toSorted(([one], [other]) => (one < other ? -1 : 1))
      const ofPair = inOrder.flatMap(([operator, group]) => toRow({ serviceCode, countryId, operator }, group))
      rows.push(...withBetter(ofPair))
    }
    left -= 1
    if (left > 0) continue
    left = SERVICES_AT_ONCE
    yield
  }
  return rows
}

/** A smaller difference of shares is no reason to name another operator. */
const FAR_BELOW = 0.3

/** Adds to rows of one service and country the best operator, if that operator's share is far above the row's. */
function withBetter(rows: readonly Omit<QualityRow, 'better'>[]): QualityRow[] {
  const best = rows.toSorted((one, other) => other.success_share - one.success_share)[0]
  return rows.map((row) => {
    const isFar = best !== undefined && best.success_share - row.success_share >= FAR_BELOW
    return { ...row, better: isFar ? { operator: best.operator, success_share: best.success_share } : null }
  })
}

/** Returns an empty list for a sample below the minimum size. */
function toRow(
  of: { serviceCode: string; countryId: number; operator: string },
  group: readonly { outcomes: Outcomes }[],
): Omit<QualityRow, 'better'>[] {
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
