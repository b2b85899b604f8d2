import type { AppError } from '#server/errors.ts'

/** A reason that is gone when it is looked for is no reason: then the hold is tried again, so many times in all. */
const MAX_HOLDS = 3

/**
 * Holds money, or says why not: with what an earlier request with the same key made, or by throwing. `hold` answers null when
 * nothing was held, `explain` when there is no reason for that any more: a payment came, or a limit was lifted in between.
 * `otherwise`: what is told when that happens every time.
 */
export async function holdOrExplain<Made, Earlier>(steps: {
  hold: () => Promise<Made | null>
  explain: () => Promise<Earlier | null>
  otherwise: () => AppError
}): Promise<{ made: Made } | { earlier: Earlier }> {
  for (let round = 0; round < MAX_HOLDS; round += 1) {
    const made = await steps.hold()
    if (made !== null) return { made }
    const earlier = await steps.explain()
    if (earlier !== null) return { earlier }
  }
  throw steps.otherwise()
}
