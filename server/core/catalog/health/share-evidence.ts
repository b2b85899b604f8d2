/** A purchase as evidence; lists of them are sorted oldest first. `withdrawn` means that the buyer ended it early. */
export type Outcome = { serviceCode: string; countryId: number; userId: number; coded: boolean; withdrawn: boolean }

/** Returns the usual share of codes (the norm), 0…1, or null if too little is known. */
export type NormOf = (serviceCode: string, countryId: number) => number | null

export type Tally = { purchases: number; codes: number; expected: number }

/** A supplier's share of codes has fallen if it dropped to this part of its norm. */
const FALLEN = 1 / 3
/**
 * The threshold of Page's test (CUSUM): the sum of log-likelihood ratios of "a third of the norm" against "the norm",
 * never below zero. At the norm, the sum passes ln(1/α) within n purchases with a probability below n·α: here 1 % in 1
 * 000. Each purchase has the norm of its own service and country, so a shift in demand is no evidence.
 */
const THRESHOLD = Math.log(100_000)
/**
 * The threshold for the evidence outside the worst service or country. At the norm, that evidence seldom reaches it.
 */
const REST_THRESHOLD = Math.log(200)
const LEAST_PURCHASES = 20
/** A cancellation costs the buyer nothing, so it weighs less than a wait in vain. */
const WITHDRAWN_WEIGHT = 1 / 2
/** Accounts are cheap, so each buyer counts up to a tenth of the threshold, and a few accounts prove nothing. */
const MOST_OF_BUYER = THRESHOLD / 10
/** A buyer who has paid for many codes seldom fails on purpose, so three such buyers are enough and two are not. */
const MOST_OF_TRUSTED = THRESHOLD / 3
const LEAST_BUYERS = 3
/** The tolerance lets three buyers with a third of the threshold each reach the threshold despite rounding. */
const ROUNDING = 1e-9
/** If less than this share of purchases is outside the worst service or country, only the worst one is judged. */
const LEAST_OF_REST = 0.1
/** The threshold of Wald's test: two codes beyond chance put a supplier back on sale, two misses keep it off. */
const TRIAL_THRESHOLD = 2 * Math.log(3) - 1e-9

type Weighed = Outcome & { norm: number; evidence: number }

export function findFallen(
  outcomes: readonly Outcome[],
  normOf: NormOf,
  isTrusted: (userId: number) => boolean = () => false,
): Tally | null {
  const weighed = weigh(outcomes, normOf)
  const run = worstRun(weighed)
  const sumOfBuyers = (some: readonly Weighed[]) => sumCapped(some, isTrusted) + ROUNDING
  if (run.length < LEAST_PURCHASES || sumOfBuyers(run) < THRESHOLD || countAgainst(run) < LEAST_BUYERS) return null
  for (const groupOf of [serviceOf, countryOf]) {
    const { worst, rest } = withoutWorst(run, groupOf)
    const others = weighed.filter((one) => groupOf(one) !== worst).length / weighed.length
    if (others >= LEAST_OF_REST && sumOfBuyers(rest) < REST_THRESHOLD) return null
  }
  return tallyOf(run)
}

export function judgeTrials(outcomes: readonly Outcome[], normOf: NormOf): 'sound' | 'fallen' | 'open' {
  const evidence = sum(weigh(outcomes, (service, country) => normOf(service, country) ?? UNKNOWN_NORM))
  if (evidence <= -TRIAL_THRESHOLD) return 'sound'
  return evidence >= TRIAL_THRESHOLD ? 'fallen' : 'open'
}

const UNKNOWN_NORM = 0.5

export function tally(outcomes: readonly Outcome[], normOf: NormOf): Tally {
  return tallyOf(weigh(outcomes, normOf))
}

function weigh(outcomes: readonly Outcome[], normOf: NormOf): Weighed[] {
  return outcomes.flatMap((outcome) => {
    const norm = normOf(outcome.serviceCode, outcome.countryId)
    if (norm === null) return []
    const failure = Math.log((1 - norm * FALLEN) / (1 - norm)) * (outcome.withdrawn ? WITHDRAWN_WEIGHT : 1)
    return [{ ...outcome, norm, evidence: outcome.coded ? Math.log(FALLEN) : failure }]
  })
}

function worstRun(weighed: readonly Weighed[]): Weighed[] {
  let total = 0
  let from = 0
  for (const [place, { evidence }] of weighed.entries()) {
    total += evidence
    if (total > 0) continue
    total = 0
    from = place + 1
  }
  return weighed.slice(from)
}

type GroupOf = (one: Weighed) => string | number
const serviceOf: GroupOf = ({ serviceCode }) => serviceCode
const countryOf: GroupOf = ({ countryId }) => countryId

function withoutWorst(
  run: readonly Weighed[],
  groupOf: GroupOf,
): { worst: string | number | undefined; rest: Weighed[] } {
  const [worst] = [...Map.groupBy(run, groupOf)].toSorted(([, a], [, b]) => sum(b) - sum(a))
  return { worst: worst?.[0], rest: run.filter((one) => groupOf(one) !== worst?.[0]) }
}

function sum(weighed: readonly Weighed[]): number {
  return weighed.reduce((total, { evidence }) => total + evidence, 0)
}

function ofBuyers(weighed: readonly Weighed[]): [userId: number, evidence: number][] {
  return [...Map.groupBy(weighed, ({ userId }) => userId)].map(([userId, own]) => [userId, sum(own)])
}

function sumCapped(weighed: readonly Weighed[], isTrusted: (userId: number) => boolean): number {
  return ofBuyers(weighed).reduce(
    (total, [userId, evidence]) => total + Math.min(evidence, isTrusted(userId) ? MOST_OF_TRUSTED : MOST_OF_BUYER),
    0,
  )
}

function countAgainst(weighed: readonly Weighed[]): number {
  return ofBuyers(weighed).filter(([, evidence]) => evidence > 0).length
}

function tallyOf(weighed: readonly Weighed[]): Tally {
  return {
    purchases: weighed.length,
    codes: weighed.filter(({ coded }) => coded).length,
    expected: weighed.reduce((total, { norm }) => total + norm, 0),
  }
}
