import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { boundOfShare } from './call-bounds.ts'
import type { PairShare } from './queries/shown.ts'
import type { NormOf } from './share-evidence.ts'

export const SHARE_WINDOW_MS = { '15m': 15 * MINUTE, '1h': HOUR, '24h': DAY } as const

const MEDIAN = 0.5
const P95 = 0.95

type Share = { purchases: number; codes: number; share: number | null; norm: number | null }

/** Returns the share of codes and its norm (the usual share), averaged over the purchases actually made. */
export function shareOf(pairs: readonly PairShare[], normOf: NormOf): Share {
  const purchases = pairs.reduce((sum, pair) => sum + pair.purchases, 0)
  const codes = pairs.reduce((sum, pair) => sum + pair.codes, 0)
  if (purchases === 0) return { purchases, codes, share: null, norm: null }
  let expected: number | null = 0
  for (const pair of pairs) {
    const norm = normOf(pair.service_code, pair.country_id)
    expected = norm === null || expected === null ? null : expected + norm * pair.purchases
  }
  const rounded = (value: number) => Math.round((value / purchases) * 1000) / 1000
  return { purchases, codes, share: rounded(codes), norm: expected === null ? null : rounded(expected) }
}

export function answerTimes(counts: readonly number[]): { median_ms: number | null; p95_ms: number | null } {
  return { median_ms: boundOfShare(counts, MEDIAN), p95_ms: boundOfShare(counts, P95) }
}
