import { KIBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import {
  findRate,
  findRefused,
  listDueSources,
  noteAnswer,
  type RateSource,
  storeDoubtful,
  storeRate,
} from './queries.ts'
import { readCbrRate, readJsonRate } from './read-rate.ts'

const LIMITS = { timeoutMs: 10 * SECOND, maxBytes: 1024 * KIBIBYTE }
/** The delay before a failed source is asked again, unless the source's own interval is shorter. */
const AGAIN_AFTER_MS = 10 * MINUTE
/** An exchange rate that moved by more than this percentage is unused until staff confirm it with `rate:set`. */
export const MOST_MOVED_PER_CENT = 10n
const FAILURE_LENGTH = 300
const USER_AGENT = 'Mozilla/5.0 (compatible; Ringpost)'

/** Requests the sources of exchange rates that are due, each on its own. Returns true if a rate has changed. */
export async function fetchRates(ctx: Context): Promise<boolean> {
  let hasChanged = false
  for (const source of await listDueSources(ctx.db, ctx.clock.now())) {
    const failure = await fetchRate(ctx, source).then(
      (changed) => {
        hasChanged ||= changed
        return null
      },
      (error: unknown) => whyFailed(error, FAILURE_LENGTH),
    )
    const now = ctx.clock.now()
    const pauseMs = source.every_minutes * MINUTE
    const waitMs = failure === null ? pauseMs : Math.min(pauseMs, AGAIN_AFTER_MS)
    const { currency } = source
    const outage = await noteAnswer(ctx.db, { currency, now, nextAt: new Date(now.getTime() + waitMs), failure })
    if (outage.begins) ctx.log.warn({ currency, failure }, 'a rate cannot be fetched')
    if (outage.ends) ctx.log.warn({ currency }, 'a rate is fetched again')
  }
  return hasChanged
}

async function fetchRate(ctx: Context, source: RateSource): Promise<boolean> {
  const response = await boundedFetch(source.url, { headers: { 'user-agent': USER_AGENT } }, LIMITS)
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  const body = new Uint8Array(await response.arrayBuffer())
  const rubMicros =
    source.kind === 'cbr'
      ? readCbrRate(body, source.pointer)
      : readJsonRate(new TextDecoder().decode(body), source.pointer)
  if (rubMicros === null) throw new Error(`there is no rate at ${source.pointer}`)
  return takeRate(ctx, { currency: source.currency, rubMicros, source: new URL(source.url).hostname })
}

async function takeRate(ctx: Context, rate: { currency: string; rubMicros: bigint; source: string }): Promise<boolean> {
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const before = await findRate(tx, rate.currency)
    if (before !== null && isDoubtful(before.rub_micros, rate.rubMicros)) {
      const refused = await findRefused(tx, rate.currency)
      if (refused !== null && !isDoubtful(refused, rate.rubMicros)) return false
      await storeDoubtful(tx, { ...rate, now })
      return false
    }
    await storeRate(tx, { ...rate, now })
    return before?.rub_micros !== rate.rubMicros
  })
}

export function isDoubtful(beforeMicros: bigint, rubMicros: bigint): boolean {
  const move = rubMicros > beforeMicros ? rubMicros - beforeMicros : beforeMicros - rubMicros
  return move * 100n > beforeMicros * MOST_MOVED_PER_CENT
}
