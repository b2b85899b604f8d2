import type { Random } from '#server/house/clock.ts'
import { drawChance } from './draw-chance.ts'
import { type Counts, PRIOR } from './route-book.ts'

/** `cost` in one currency for all; `counts` null: never bought of late. `seconds` null: time is not weighed. */
export type Candidate<Offer> = {
  offer: Offer
  cost: number
  weightPercent: number
  counts: Counts | null
  seconds: number | null
}

export type Routed<Offer> = Candidate<Offer> & {
  /** What was drawn, 0…1. */
  chance: number
  /** The cost of a code at that chance, by the operator's weight. */
  score: number
  /** It goes first for its time. */
  isFaster: boolean
}

/** Costs that are no further apart are as good as equal. */
const NEAR = 1.1
/** Smaller differences of time are chance. */
const FASTER = 2 / 3

/**
 * Thompson sampling: each candidate is taken for as good as a draw from what its counts allow, and the cheapest code is asked first.
 * So the best has most of the purchases, and whoever may be better has some. Of those near the cheapest a faster one goes first.
 */
export function orderCandidates<Offer>(
  random: Pick<Random, 'below'>,
  candidates: readonly Candidate<Offer>[],
): Routed<Offer>[] {
  const byCost = candidates
    .map((candidate) => {
      const { codes, failures } = candidate.counts ?? { codes: 0, failures: 0 }
      const chance = drawChance(random, { codes: codes + PRIOR.codes, failures: failures + PRIOR.failures })
      const score = (candidate.cost * 100) / (chance * candidate.weightPercent)
      return { ...candidate, chance, score, isFaster: false }
    })
    .sort((a, b) => a.score - b.score)
  const [cheapest] = byCost
  if (cheapest === undefined || cheapest.seconds === null) return byCost
  const limitSeconds = cheapest.seconds * FASTER
  const fastest = byCost
    .filter(({ score, seconds }) => score <= cheapest.score * NEAR && seconds !== null && seconds <= limitSeconds)
    .toSorted((a, b) => (a.seconds ?? 0) - (b.seconds ?? 0))[0]
  if (fastest === undefined) return byCost
  return [{ ...fastest, isFaster: true }, ...byCost.filter((one) => one !== fastest)]
}
