/**
 * Simulates the routing of purchases to suppliers. Compares an SMS code's cost with the cost at the best supplier.
 * Checks whether purchases soon leave a supplier that turns bad, and prefer a faster supplier.
 */
import { RoutedMarket } from '#test/simulation/routed-market.ts'
import { printFigures, printRatio } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'

const RUNS = 7
const PURCHASES = 2_000
const SETTLED = 1_000
const SELLERS = [
  { cost: 10, share: 0.8 },
  { cost: 9, share: 0.5 },
  { cost: 10, share: 0.3 },
]
const MOST_REGRET = 0.1
const LEAST_ELSEWHERE = 0.9
const ALIKE = [
  { cost: 10, share: 0.7, seconds: 60 },
  { cost: 10, share: 0.7, seconds: 10 },
]
const LEAST_FASTER = 0.65

await runBenchmark(async () => {
  const seeds = Array.from({ length: RUNS }, (_, run) => run + 1)
  const regrets = seeds.map((seed) => new RoutedMarket(seed, SELLERS).regretOf(PURCHASES))
  printRatio(`regret after ${PURCHASES} purchases`, regrets, { atMost: MOST_REGRET })
  const lefts = seeds.map((seed) => leave(seed))
  printRatio(
    'elsewhere in 100 purchases, 200 after the fall',
    lefts.map(({ elsewhere }) => elsewhere),
    {
      atLeast: LEAST_ELSEWHERE,
    },
  )
  printFigures(
    'went to it in these 200',
    lefts.map(({ wasted }) => wasted),
    'purchases',
  )
  const faster = seeds.map((seed) => new RoutedMarket(seed, ALIKE).countTo(1, SETTLED) / SETTLED)
  printRatio('to the faster of two alike', faster, { atLeast: LEAST_FASTER })
})

function leave(seed: number): { elsewhere: number; wasted: number } {
  const market = new RoutedMarket(seed, SELLERS)
  market.countTo(0, SETTLED)
  market.sellers = SELLERS.map((seller, place) => (place === 0 ? { ...seller, share: 0.05 } : seller))
  const wasted = market.countTo(0, 200)
  return { elsewhere: 1 - market.countTo(0, 100) / 100, wasted }
}
