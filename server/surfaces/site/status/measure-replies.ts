import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { type Figure, figure, UNKNOWN, worseOf } from './measured.ts'
import { FAILING, LEAST_REPLIES, REPLIES_WINDOW_MS, stateOf } from './thresholds.ts'

type Group = 'site' | 'api'

/** Replies since the start. `within` has the replies by the upper bound of their time, in seconds, cumulatively. */
type Counts = { total: number; failed: number; within: Map<number, number> }

type Sample = { at: number } & Record<Group, Counts>

const samplesOf = perContext(
  'times of replies',
  { scope: 'process', nodes: 'own', lost: 'nothing: they are counted anew' },
  (): Sample[] => [],
)

const PAGES = '/*'
/** The start of the paths of our own API and of those that programs of other services speak. */
const OF_PROGRAMS = ['/api/', '/stubs/', '/v1/']
/** This call waits for a code as long as the program asks. */
const WAITING = '/api/v1/activations/:id'
const SHARE = 0.95
/** Shown in place of a time that exceeds all classes of the metric. */
const LONGER_SECONDS = 30

/** Measures this process's replies of the last minutes, by the metric `ringpost_http_seconds`. */
export async function measureReplies(ctx: Context): Promise<Record<Group, Figure>> {
  const now = ctx.clock.now().getTime()
  const sample = await takeSample(ctx, now)
  const samples = samplesOf(ctx)
  samples.push(sample)
  // A single sample older than the window stays, from which the replies of the whole window are counted.
  while ((samples[1]?.at ?? now) <= now - REPLIES_WINDOW_MS || (samples[0]?.at ?? now) > now) samples.shift()
  const since = samples[0] ?? sample
  return { site: judge('site', since.site, sample.site), api: judge('api', since.api, sample.api) }
}

async function takeSample({ metrics }: Context, at: number): Promise<Sample> {
  const sample: Sample = { at, site: kept(metrics.keptPages.count), api: kept(metrics.cachedReplies.count) }
  for (const { metricName = '', labels, value } of (await metrics.requests.get()).values) {
    const group = groupOf(String(labels.route ?? ''))
    if (group === null) continue
    const counts = sample[group]
    if (metricName.endsWith('_count')) {
      counts.total += value
      if (labels.status === '5xx') counts.failed += value
    } else if (metricName.endsWith('_bucket')) {
      const bound = Number('le' in labels ? labels.le : Number.NaN)
      if (Number.isFinite(bound)) counts.within.set(bound, (counts.within.get(bound) ?? 0) + value)
    }
  }
  return sample
}

/** Replies of cached bytes are not in the histogram. They take less than its first class. */
function kept(count: number): Counts {
  return { total: count, failed: 0, within: new Map([[0, count]]) }
}

function groupOf(route: string): Group | null {
  if (route === PAGES) return 'site'
  return route !== WAITING && OF_PROGRAMS.some((start) => route.startsWith(start)) ? 'api' : null
}

function judge(group: Group, before: Counts, after: Counts): Figure {
  const total = after.total - before.total
  if (total < LEAST_REPLIES) return UNKNOWN
  const cached = (after.within.get(0) ?? 0) - (before.within.get(0) ?? 0)
  const bounds = [...after.within.keys()].filter((bound) => bound > 0).toSorted((a, b) => a - b)
  const enough = bounds.find(
    (bound) => cached + (after.within.get(bound) ?? 0) - (before.within.get(bound) ?? 0) >= total * SHARE,
  )
  const seconds = enough ?? LONGER_SECONDS
  const failing = (after.failed - before.failed) / total
  const failed = failing > FAILING.down ? 'down' : failing > FAILING.partly ? 'partly' : 'working'
  return figure(worseOf(stateOf(group, seconds), failed), seconds)
}
