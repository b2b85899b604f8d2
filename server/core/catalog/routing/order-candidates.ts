import type { Random } from '#server/house/clock.ts'
import { drawChance } from './draw-chance.ts'
import { type Counts, PRIOR } from './route-book.ts'

/**
 * All costs have one currency. `counts` (of codes and failures) is null without recent purchases; `seconds` (to a code)
 * is null for rentals.
 */
export type Candidate<Offer> = {
  offer: Offer
  cost: number
  weightPercent: number
  counts: Counts | null
  seconds: number | null
}

export type Routed<Offer> = Candidate<Offer> & {
  chance: number
  /** The expected cost of a code at the drawn probability, divided by the weight that staff gave the supplier. */
  score: number
  isFaster: boolean
}

const NEAR = 1.1
/** A faster candidate needs at most this part of the cheapest one's time; smaller differences are chance. */
const FASTER = 2 / 3

/**
 * Orders candidates by Thompson sampling: each gets a success probability drawn from its counts, and the cheapest
 * expected code goes first. So the best candidate gets most purchases and the others some. A much faster candidate goes
 * first if its expected cost is at most 10 % higher.
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
