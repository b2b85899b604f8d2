import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { healthBookOf, type Standing } from '../health/health-book.ts'
import { listBarred, listTrials, type OutcomeOfSupplier } from '../health/queries/outcomes.ts'
import { judgeTrials, tally } from '../health/share-evidence.ts'
import { bringBack, failTrial } from './change-standing.ts'
import { refreshNorms, toOutcomes } from './judge-shares.ts'
import { showStandings } from './show-standings.ts'

/** Buyers are barred from trials for this time only, or a supplier with few buyers would never return. */
const BARRED_FOR_MS = DAY

type Aside = { supplierId: number; standing: Standing }

/** Judges trial purchases and allows new ones. Runs every few seconds, without a query if no supplier is off sale. */
export async function tryAgain(ctx: Context): Promise<void> {
  const aside = healthBookOf(ctx)
    .aside()
    .filter(({ supplierId }) => !healthBookOf(ctx).isUnderWay(supplierId))
  if (aside.length === 0) return
  const byShare = aside.filter(({ standing }) => standing.cause === 'share')
  await refreshNorms(ctx)
  const ids = byShare.map(({ supplierId }) => supplierId)
  const trials = ids.length === 0 ? [] : await listTrials(ctx.db, ids)
  const since = new Date(ctx.clock.now().getTime() - BARRED_FOR_MS)
  const barred = ids.length === 0 ? [] : await listBarred(ctx.db, { supplierIds: ids, since })
  healthBookOf(ctx).setBarred(Map.groupBy(barred, (row) => row.supplier_id))
  for (const one of byShare) {
    await judge(
      ctx,
      one,
      trials.filter((row) => row.supplier_id === one.supplierId),
    )
  }
  for (const one of aside) if (one.standing.cause === 'errors') openIfDue(ctx, one)
  showStandings(ctx)
}

async function judge(ctx: Context, one: Aside, trials: readonly OutcomeOfSupplier[]): Promise<void> {
  const { supplierId, standing } = one
  // A trial may have begun during the query.
  if (healthBookOf(ctx).isUnderWay(supplierId) || healthBookOf(ctx).of(supplierId).version !== standing.version) return
  if (trials.some(({ coded }) => coded === null)) {
    healthBookOf(ctx).setSlot(supplierId, 'taken')
    return
  }
  const outcomes = toOutcomes(trials)
  const normOf = healthBookOf(ctx).norms.of(supplierId)
  const found = judgeTrials(outcomes, normOf)
  if (found === 'open') {
    openIfDue(ctx, one)
    return
  }
  const { purchases, codes } = tally(outcomes, (...pair) => normOf(...pair) ?? 0)
  const reason = `of ${purchases} single purchases to try it ${codes} had a code`
  if (found === 'sound') await bringBack(ctx, { supplierId, reason })
  else await failTrial(ctx, { supplierId, reason })
}

function openIfDue(ctx: Context, { supplierId }: Aside): void {
  if (healthBookOf(ctx).isUnderWay(supplierId)) return
  const { tryAt } = healthBookOf(ctx).of(supplierId)
  const isDue = tryAt !== null && tryAt <= ctx.clock.now()
  healthBookOf(ctx).setSlot(supplierId, isDue ? 'open' : 'closed')
}
