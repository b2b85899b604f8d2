import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { healthBookOf } from '../health/health-book.ts'
import { type Cause, changeStanding, listStandings, type StandingChange } from '../health/queries/standings.ts'
import { showStandings } from './show-standings.ts'

/** The wait before the first trial purchase, doubled by each failure. Errors pass soon; a low share of codes lasts. */
const FIRST_WAIT_MS: Record<Cause, number> = { errors: 30 * SECOND, share: 5 * MINUTE }
const LONGEST_WAIT_MS: Record<Cause, number> = { errors: 10 * MINUTE, share: 2 * HOUR }
/** A supplier that was healthy for this long starts again with the first wait, not with a doubled one. */
const FORGIVEN_AFTER_MS = 6 * HOUR

export async function setAside(
  ctx: Context,
  given: { supplierId: number; cause: Cause; reason: string },
): Promise<void> {
  const { supplierId, cause, reason } = given
  const { state, since, falls: before } = healthBookOf(ctx).of(supplierId)
  if (state === 'aside') return
  const now = ctx.clock.now()
  const isForgiven = since === null || now.getTime() - since.getTime() > FORGIVEN_AFTER_MS
  const falls = isForgiven ? 1 : before + 1
  await change(ctx, { supplierId, kind: 'set-aside', cause, reason, falls, tryAt: waitFor(now, cause, falls) })
}

export async function failTrial(
  ctx: Context,
  { supplierId, reason }: { supplierId: number; reason: string },
): Promise<void> {
  const { state, cause, falls } = healthBookOf(ctx).of(supplierId)
  if (state !== 'aside' || cause === null) return
  const tryAt = waitFor(ctx.clock.now(), cause, falls + 1)
  await change(ctx, { supplierId, kind: 'trial-failed', cause, reason, falls: falls + 1, tryAt })
}

export async function bringBack(
  ctx: Context,
  { supplierId, reason }: { supplierId: number; reason: string },
): Promise<void> {
  const { state, falls } = healthBookOf(ctx).of(supplierId)
  if (state === 'aside') await change(ctx, { supplierId, kind: 'returned', cause: null, reason, falls, tryAt: null })
}

/** Changes the health state in the database first, and then in memory. */
async function change(ctx: Context, wanted: Omit<StandingChange, 'version' | 'now'>): Promise<void> {
  const { supplierId, kind, reason } = wanted
  if (!healthBookOf(ctx).beginChange(supplierId)) return
  try {
    const { version } = healthBookOf(ctx).of(supplierId)
    const row = await changeStanding(ctx.db, { ...wanted, version, now: ctx.clock.now() })
    if (row !== null) {
      healthBookOf(ctx).set(row)
      tellNodes(ctx, { kind: 'standings-changed' })
      const supplier = suppliersOf(ctx).get(supplierId)?.code
      ctx.log[kind === 'returned' ? 'info' : 'warn']({ supplier, reason }, WORDS[kind] ?? kind)
    } else healthBookOf(ctx).load(await listStandings(ctx.db))
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    ctx.log.warn({ error, supplierId, kind }, 'the state of a supplier could not be changed')
  } finally {
    healthBookOf(ctx).endChange(supplierId)
    showStandings(ctx)
  }
}

const WORDS: Partial<Record<StandingChange['kind'], string>> = {
  'set-aside': 'a supplier is set aside: it sells nothing',
  'trial-failed': 'a supplier stays set aside',
  returned: 'a supplier that was set aside sells again',
}

function waitFor(now: Date, cause: Cause, falls: number): Date {
  const waitMs = Math.min(LONGEST_WAIT_MS[cause], FIRST_WAIT_MS[cause] * 2 ** Math.min(falls - 1, 20))
  return new Date(now.getTime() + waitMs)
}
