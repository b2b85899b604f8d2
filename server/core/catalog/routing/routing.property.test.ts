import { expect, test } from 'vitest'
import { RoutedMarket, type Seller } from '#test/simulation/routed-market.ts'

const MARKETS: Seller[][] = [
  [
    { cost: 10, share: 0.8 },
    { cost: 10, share: 0.6 },
    { cost: 10, share: 0.3 },
  ],
  [
    { cost: 12, share: 0.85 },
    { cost: 8, share: 0.35 },
    { cost: 10, share: 0.55 },
    { cost: 9, share: 0.2 },
  ],
  [
    { cost: 10, share: 0.5 },
    { cost: 10, share: 0.47 },
  ],
]

test('the cost of a code is at most 10 % above the best supplier known beforehand, after 2 000 purchases', () => {
  for (const sellers of MARKETS) {
    const regrets = Array.from({ length: 40 }, (_, seed) => new RoutedMarket(seed + 1, sellers).regretOf(2_000))
    expect(Math.max(...regrets)).toBeLessThanOrEqual(0.1)
  }
})

test('when the best turns bad, nine of ten purchases go elsewhere within 200; a newcomer is tried', () => {
  let still = 0
  for (let seed = 1; seed <= 40; seed += 1) {
    const market = new RoutedMarket(seed, [
      { cost: 10, share: 0.8 },
      { cost: 10, share: 0.6 },
    ])
    for (let count = 0; count < 1_000; count += 1) market.buy()
    market.sellers = [
      { cost: 10, share: 0.05 },
      { cost: 10, share: 0.6 },
    ]
    for (let count = 0; count < 200; count += 1) market.buy()
    const toBad = market.countTo(0, 100)
    expect(toBad).toBeLessThan(20)
    still += toBad
    market.sellers.push({ cost: 10, share: 0.9 })
    expect(market.countTo(2, 300)).toBeGreaterThan(150)
  }
  expect(still / (40 * 100)).toBeLessThan(0.1)
})

test('of two that cost the same a code, the faster has most of the purchases; what it costs more is within the aim', () => {
  const at = (fast: number, slow: number): Seller[] => [
    { cost: 10, share: slow, seconds: 60 },
    { cost: 10, share: fast, seconds: 10 },
  ]
  let faster = 0
  for (let seed = 1; seed <= 40; seed += 1) {
    const market = new RoutedMarket(seed, at(0.7, 0.7))
    for (let count = 0; count < 200; count += 1) market.buy()
    faster += market.countTo(1, 1_000)
    expect(new RoutedMarket(seed, at(0.65, 0.7)).regretOf(2_000)).toBeLessThanOrEqual(0.1)
    const far = new RoutedMarket(seed, at(0.35, 0.7))
    for (let count = 0; count < 200; count += 1) far.buy()
    expect(far.countTo(1, 1_000)).toBeLessThan(150)
  }
  expect(faster / (40 * 1_000)).toBeGreaterThan(0.7)
})

test('one account that cancels at the best and takes codes elsewhere turns few purchases of the others to what is dearer', () => {
  const sellers = [
    { cost: 9, share: 0.9 },
    { cost: 10, share: 0.9 },
  ]
  const shareOfBest = (attacked: boolean) => {
    let best = 0
    for (let seed = 1; seed <= 20; seed += 1) {
      const market = new RoutedMarket(seed, sellers)
      for (let count = 0; count < 600; count += 1) {
        if (attacked) market.steal(0)
        const { seller } = market.buy()
        if (count >= 200 && seller === 0) best += 1
      }
    }
    return best / (20 * 400)
  }
  const before = shareOfBest(false)
  expect(before).toBeGreaterThan(0.85)
  expect(before - shareOfBest(true)).toBeLessThan(0.15)
})
