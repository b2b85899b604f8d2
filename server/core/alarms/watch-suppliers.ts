import type { Currency } from '#contract/money.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { listWatched, type WatchedSupplier } from './queries.ts'
import { type Alarm, nameOf } from './set-alarm.ts'

export type Found = { alarm: Alarm; stands: boolean }

/** To end an alarm, stock and balance must exceed the alarm's limit by this factor (hysteresis). */
const ENOUGH = 1.25
/** An alarm needs several waiting activations, because a single waiting buyer may have entered a wrong number. */
const LEAST_WAITING = 3
const LEAST_BUYERS = 2
const MANY_LOSSES = 10
/** A number of losses from which a supplier raises an alarm, if they are a large share of everything it charged. */
const FEW_LOSSES = 3
const MOST_LOST_SHARE = 0.02

/** Finds faults of suppliers. For a paused supplier no alarm begins, and only the supplier's answer ends one. */
export async function findSupplierFaults(ctx: Context, standing: ReadonlySet<string>): Promise<Found[]> {
  const now = ctx.clock.now().getTime()
  const silentSince = new Date(now - ctx.config.alarmSilenceMinutes * MINUTE)
  const input = { waitingSince: silentSince, lossesSince: new Date(now - DAY), few: FEW_LOSSES, many: MANY_LOSSES }
  const found = (await listWatched(ctx.db, input)).flatMap((supplier) => {
    const of = (kind: Alarm['kind'], stands: boolean): Found => {
      const alarm: Alarm = { kind, about: supplier.code }
      return { alarm, stands: stands && (!supplier.paused || standing.has(nameOf(alarm))) }
    }
    return [
      of('set-aside', supplier.cause === 'errors'),
      of('share-low', supplier.cause === 'share'),
      of('no-sms', ctx.config.alarmSilenceMinutes > 0 && isSilent(standing, supplier, silentSince)),
      of('stock-low', isLow(ctx, standing, { supplier, kind: 'stock-low' })),
      of('rating-low', supplier.rating_low),
      of('losses', isLosing(standing, supplier)),
      of('balance-low', isLow(ctx, standing, { supplier, kind: 'balance-low' })),
    ]
  })
  return found
}

function isLow(
  ctx: Context,
  standing: ReadonlySet<string>,
  { supplier, kind }: { supplier: WatchedSupplier; kind: 'stock-low' | 'balance-low' },
): boolean {
  const { code, stock, balance_micros: micros, balance_currency: currency } = supplier
  const { each, of } = ctx.config.alarmStock
  const [left, limit] = kind === 'stock-low' ? [stock, of.get(code) ?? each] : [micros, limitOf(ctx, currency)]
  if (limit === 0) return false
  const isStanding = standing.has(nameOf({ kind, about: code }))
  if (left === null) return isStanding
  return Number(left) < limit * (isStanding ? ENOUGH : 1)
}

function isLosing(standing: ReadonlySet<string>, { code, losses, lost_share: share }: WatchedSupplier): boolean {
  const enough = standing.has(nameOf({ kind: 'losses', about: code })) ? ENOUGH : 1
  return losses * enough >= MANY_LOSSES || share * enough >= MOST_LOST_SHARE
}

function limitOf(ctx: Context, currency: Currency | null): number {
  return currency === null ? 0 : Number(ctx.config.alarmBalanceMicros[currency] ?? 0n)
}

/** Returns true if buyers wait and no message arrives; a standing alarm ends only with a message. */
function isSilent(standing: ReadonlySet<string>, supplier: WatchedSupplier, since: Date): boolean {
  const { code, waiting, buyers, last_sms_at: smsAt } = supplier
  if (smsAt !== null && smsAt > since) return false
  return standing.has(nameOf({ kind: 'no-sms', about: code })) || (waiting >= LEAST_WAITING && buyers >= LEAST_BUYERS)
}
