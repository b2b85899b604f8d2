import type { FactsReply } from '#contract/status/facts.ts'
import { DAY } from '#contract/time.ts'
import {
  addOutcomes,
  MINIMUM_SAMPLE,
  medianSeconds,
  noOutcomes,
  type Outcomes,
  successShare,
} from '#server/core/catalog/health/outcome-bounds.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { MEASURED_MS } from '#server/core/catalog/offers/load-catalog.ts'
import { offeredSystems } from '#server/core/payments/systems.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { runYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'
import { medianAnswerSeconds } from './answer-times.ts'

/** Shows what was measured over all services, how one can pay, and who answers. */
export async function showFacts(ctx: Context, { zone, locale }: Caller): Promise<FactsReply> {
  const { config } = ctx
  const outcomes = await outcomesOfAll(catalogOf(ctx))
  const [share, median] = [successShare(outcomes), medianSeconds(outcomes)]
  const without = outcomes.purchases - outcomes.codes
  return {
    status: true,
    days: MEASURED_MS / DAY,
    codes: share === null ? null : { share, purchases: roundedDown(outcomes.purchases) },
    wait: median === null ? null : { median_seconds: median, codes: roundedDown(outcomes.codes) },
    returned: without < MINIMUM_SAMPLE ? null : { purchases: roundedDown(without) },
    payments: offeredSystems(ctx, { zone, currency: zone.currency }).map(({ key, names, mark }) => ({
      key,
      name: names[locale],
      mark,
    })),
    support: {
      email: config.contactEmail,
      telegram: config.contactTelegram,
      median_answer_seconds: await medianAnswerSeconds(ctx),
    },
  }
}

type MeasuredPairs = ReturnType<CatalogIndex['measured']>

/** Sums are cached until the catalogue is loaded again, because measurements change only then. */
const remembered = new WeakMap<MeasuredPairs, Promise<Outcomes>>()

/** The number of pairs of service and country that are summed before the work yields to other calls. */
const PAIRS_AT_ONCE = 1_000

function outcomesOfAll(catalog: CatalogIndex): Promise<Outcomes> {
  const measured = catalog.measured()
  const known = remembered.get(measured)
  if (known !== undefined) return known
  const outcomes = runYielding(sumOutcomes(measured))
  remembered.set(measured, outcomes)
  return outcomes
}

function* sumOutcomes(measured: MeasuredPairs): Yielding<Outcomes> {
  const outcomes = noOutcomes()
  let left = PAIRS_AT_ONCE
  for (const group of measured.values()) {
    for (const entry of group) addOutcomes(outcomes, entry.outcomes)
    left -= 1
    if (left > 0) continue
    left = PAIRS_AT_ONCE
    yield
  }
  return outcomes
}

/** Keeps the first two digits: 12 480 becomes 12 000. */
function roundedDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return Math.floor(count / unit) * unit
}
