import { expect, test } from 'vitest'
import { findFallen, judgeTrials, type Outcome } from './share-evidence.ts'

/** Returns a random generator (mulberry32) that is part of the repository, so that a seed always reproduces its run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SERVICES = [
  { serviceCode: 'tg', norm: 0.8, weight: 0.4 },
  { serviceCode: 'wa', norm: 0.5, weight: 0.4 },
  { serviceCode: 'go', norm: 0.65, weight: 0.2 },
]
const normOf = (serviceCode: string) => SERVICES.find((one) => one.serviceCode === serviceCode)?.norm ?? null

type Shape = { share?: (outcome: Omit<Outcome, 'coded' | 'withdrawn'>, norm: number) => number; buyers?: number }

function draw(random: () => number, { share = (_, norm) => norm, buyers = 40 }: Shape): Outcome {
  let left = random()
  const service = SERVICES.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  const { serviceCode, norm } = service ?? { serviceCode: 'tg', norm: 0.8 }
  const userId = Math.floor(random() ** 2 * buyers)
  const sold = { serviceCode, countryId: 1 + Math.floor(random() * 3), userId }
  return { ...sold, withdrawn: false, coded: random() < share(sold, norm) }
}

const JUDGED_EACH = 4
const JUDGED = Array.from({ length: 37 }, (_, place) => (place + 1) * JUDGED_EACH)
function fallsAfter(seed: number, length: number, shape: Shape): number | null {
  const random = seeded(seed)
  const outcomes: Outcome[] = []
  for (let count = 1; count <= length; count += 1) {
    outcomes.push(draw(random, shape))
    if (outcomes.length > 300) outcomes.shift()
    if (count % JUDGED_EACH === 0 && findFallen(outcomes, normOf) !== null) return count
  }
  return null
}

const runs = (count: number, length: number, shape: Shape = {}) =>
  Array.from({ length: count }, (_, seed) => fallsAfter(seed + 1, length, shape))

test('a supplier at its norm is set aside in fewer than one of a hundred runs of 1 000 purchases', () => {
  expect(runs(100, 1_000).filter((after) => after !== null)).toEqual([])
})

test('a supplier at a third of its norm is set aside within 150 purchases, in 99 of 100 runs', () => {
  const found = runs(300, 150, { share: (_, norm) => norm / 3 })
  expect(found.filter((after) => after === null).length).toBeLessThanOrEqual(3)
})

/** Keeps outcomes that the SQL function `buyer_misses` (migrations/0272_word_weighs.sql) accepts as evidence. */
function believed(outcomes: readonly Outcome[]): Outcome[] {
  const codes = new Map<number, number>()
  for (const { userId, coded } of outcomes) codes.set(userId, (codes.get(userId) ?? 0) + (coded ? 1 : 0))
  const misses = new Map<number, number>()
  return outcomes.filter(({ userId, coded }) => {
    if (coded) return true
    misses.set(userId, (misses.get(userId) ?? 0) + 1)
    return (misses.get(userId) ?? 0) <= 2 + 9 * (codes.get(userId) ?? 0)
  })
}

test('with two misses of each buyer, and nine more for each code, a supplier at a third and a dead one are found as soon', () => {
  const found = (shape: Shape) =>
    Array.from({ length: 100 }, (_, seed) => {
      const random = seeded(seed + 1)
      const outcomes = Array.from({ length: 150 }, () => draw(random, shape))
      return JUDGED.some((count) => findFallen(believed(outcomes.slice(0, count)), normOf) !== null)
    }).filter((fallen) => fallen).length
  expect(found({ share: (_, norm) => norm / 3 })).toBeGreaterThanOrEqual(99)
  expect(found({ share: () => 0 })).toBe(100)
  expect(found({ share: () => 0, buyers: 1_000 })).toBe(100)
  expect(found({})).toBe(0)
})

test('a dead service, a dead country and one buyer without codes seldom set a supplier aside, few purchases never', () => {
  const all = (shape: Shape) => runs(100, 400, shape).filter((after) => after !== null).length
  expect(all({ share: ({ serviceCode }, norm) => (serviceCode === 'wa' ? 0 : norm) })).toBeLessThan(5)
  expect(all({ share: ({ countryId }, norm) => (countryId === 1 ? 0 : norm) })).toBeLessThan(5)
  expect(all({ share: ({ userId }, norm) => (userId === 0 ? 0 : norm) })).toBeLessThan(5)
  const expired = Array.from({ length: 19 }, (_, userId) => ({
    serviceCode: 'tg',
    countryId: 1,
    userId,
    coded: false,
    withdrawn: false,
  }))
  expect(findFallen(expired, normOf)).toBeNull()
  expect(
    findFallen([...expired, { serviceCode: 'tg', countryId: 1, userId: 20, coded: false, withdrawn: false }], normOf),
  ).toMatchObject({
    purchases: 20,
    codes: 0,
  })
  const ofOne = Array.from({ length: 300 }, () => ({
    serviceCode: 'tg',
    countryId: 1,
    userId: 1,
    coded: false,
    withdrawn: false,
  }))
  expect(findFallen(ofOne, normOf)).toBeNull()
})

test('a few buyers set no supplier aside, however many numbers they cancel or let expire; many do', () => {
  const honest = Array.from({ length: 60 }, (_, place) => ({
    serviceCode: place % 2 === 0 ? 'tg' : 'go',
    countryId: 1,
    userId: place % 12,
    withdrawn: false,
    coded: place % 4 > 0,
  }))
  const thieves = (accounts: number, each: number, withdrawn: boolean) =>
    Array.from({ length: accounts * each }, (_, place) => ({
      serviceCode: place % 2 === 0 ? 'tg' : 'go',
      countryId: 1,
      userId: 100 + (place % accounts),
      withdrawn,
      coded: false,
    }))
  for (const accounts of [2, 4, 9]) {
    expect(findFallen([...honest, ...thieves(accounts, 20, false)], normOf)).toBeNull()
  }
  expect(findFallen([...honest, ...thieves(20, 1, true)], normOf)).toBeNull()
  expect(findFallen([...honest, ...thieves(20, 1, false)], normOf)).not.toBeNull()
})

test('three buyers who have paid for many codes set a supplier aside, two of them with any few others do not', () => {
  const lacking = (buyers: readonly number[], each: number) =>
    Array.from({ length: buyers.length * each }, (_, place) => ({
      serviceCode: place % 2 === 0 ? 'tg' : 'go',
      countryId: 1,
      userId: buyers[place % buyers.length] ?? 0,
      withdrawn: false,
      coded: false,
    }))
  const isTrusted = (userId: number) => userId < 10
  const falls = (buyers: readonly number[], each: number) =>
    findFallen(lacking(buyers, each), normOf, isTrusted) !== null
  expect([falls([1, 2, 3], 7), falls([1, 2, 3], 6)]).toEqual([true, false])
  expect([falls([1], 300), falls([1, 2], 150), falls([1, 2, 11, 12, 13], 60)]).toEqual([false, false, false])
  expect([falls([1, 2, 11, 12, 13, 14], 50), falls([11, 12, 13, 14, 15, 16, 17, 18, 19], 30)]).toEqual([true, false])
  const small = { buyers: 3 }
  const never = Array.from({ length: 100 }, (_, seed) => {
    const random = seeded(seed + 1)
    return findFallen(
      Array.from({ length: 300 }, () => draw(random, small)),
      normOf,
      () => true,
    )
  })
  expect(never.filter((fallen) => fallen !== null)).toEqual([])
})

test('a shift to services with a lower norm is no fall; what has no norm is not weighed', () => {
  const shifted = (seed: number) => {
    const random = seeded(seed)
    return Array.from({ length: 300 }, (_, place) => ({
      serviceCode: place < 100 ? 'tg' : 'wa',
      countryId: 1,
      userId: place,
      withdrawn: false,
      coded: random() < (place < 100 ? 0.8 : 0.5),
    }))
  }
  expect(Array.from({ length: 100 }, (_, seed) => findFallen(shifted(seed), normOf)).filter((one) => one)).toEqual([])
  const unknown = Array.from({ length: 200 }, (_, userId) => ({
    serviceCode: 'vk',
    countryId: 1,
    userId,
    coded: false,
    withdrawn: false,
  }))
  expect(findFallen(unknown, normOf)).toBeNull()
})

test('two codes bring it back, failures in a row do not', () => {
  const of = (...codes: boolean[]) =>
    codes.map((coded) => ({ serviceCode: 'tg', countryId: 1, userId: 1, coded, withdrawn: false }))
  expect(judgeTrials([], normOf)).toBe('open')
  expect(judgeTrials(of(true), normOf)).toBe('open')
  expect(judgeTrials(of(true, true), normOf)).toBe('sound')
  expect(judgeTrials(of(false), normOf)).toBe('open')
  expect(judgeTrials(of(false, false), normOf)).toBe('fallen')
  const withdrawn = of(false, false).map((one) => ({ ...one, withdrawn: true }))
  expect(judgeTrials(withdrawn, normOf)).toBe('open')
  expect(judgeTrials([...withdrawn, ...withdrawn], normOf)).toBe('fallen')
})
