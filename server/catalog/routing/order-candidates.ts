import type { Random } from '#server/clock.ts'
import { drawChance } from './draw-chance.ts'
import { type Counts, PRIOR } from './route-book.ts'

/** `cost` in one currency for all; `counts` null: never bought of late. */
export type Candidate<Offer> = { offer: Offer; cost: number; weightPercent: number; counts: Counts | null }

export type Routed<Offer> = Candidate<Offer> & {
  /** What was drawn, 0…1. */
  chance: number
  /** The cost of a code at that chance, by the operator's weight. */
  score: number
}

/**
 * Thompson sampling: each candidate is taken for as good as a draw from what its counts allow, and the cheapest code is asked first.
 * So the best has most of the purchases, and whoever may be better has some.
 */
export function orderCandidates<Offer>(
  random: Pick<Random, 'below'>,
  candidates: readonly Candidate<Offer>[],
): Routed<Offer>[] {
  return candidates
    .map((candidate) => {
      const { codes, failures } = candidate.counts ?? { codes: 0, failures: 0 }
      const chance = drawChance(random, { codes: codes + PRIOR.codes, failures: failures + PRIOR.failures })
      return { ...candidate, chance, score: (candidate.cost * 100) / (chance * candidate.weightPercent) }
    })
    .sort((a, b) => a.score - b.score)
}
