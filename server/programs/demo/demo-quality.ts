import { hashText } from '#contract/formats/text-hash.ts'

/** How a simulated operator did in the past. `codesPercent` is of its purchases where a service sends all its codes. */
type Habit = { operator: string; purchases: number; codesPercent: number; waits: boolean }

export const habits: readonly Habit[] = [
  { operator: 'swift', purchases: 2200, codesPercent: 95, waits: false },
  { operator: 'steady', purchases: 900, codesPercent: 92, waits: true },
  { operator: 'twice', purchases: 34, codesPercent: 90, waits: false },
  { operator: 'unicode', purchases: 28, codesPercent: 86, waits: true },
  { operator: 'used', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'late', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'flaky', purchases: 24, codesPercent: 81, waits: true },
  { operator: 'silent', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'notice', purchases: 12, codesPercent: 0, waits: false },
]

type Offer = { serviceCode: string; countryId: number }

const [SERVICE_PART, COUNTRY_PART, PAIR_PART] = [0.42, 0.28, 0.3]
const MOST_LOST_PERCENT = 46
const FASTEST_CLASS = 2
const SLOWER_CLASSES = 5
const LEAST_FASTEST_PERCENT = 40

export type Quality = {
  codesPercent: number
  /** The class of OUTCOME_BOUNDS_SECONDS in which most codes come. */
  fastestClass: number
  /** The share of codes that come in the fastest class; three fifths of the others come in the next, the rest after it. */
  fastestPercent: number
}

/** A service, a country and the pair of both each have a part in how often and how fast codes come. */
export function qualityOf({ serviceCode, countryId }: Offer, habit: Habit): Quality {
  const [service, country, pair] = [`past ${serviceCode}`, `past ${countryId}`, `past ${serviceCode} ${countryId}`].map(
    hashText,
  )
  const mixed = (shift: number) =>
    SERVICE_PART * partOf(service, shift) + COUNTRY_PART * partOf(country, shift) + PAIR_PART * partOf(pair, shift)
  // A power above one leaves most offers good.
  const badness = mixed(0) ** 1.5
  return {
    codesPercent: Math.max(0, habit.codesPercent - Math.round(badness * MOST_LOST_PERCENT)),
    fastestClass: FASTEST_CLASS + Math.round(mixed(8) * (0.5 + badness) * SLOWER_CLASSES) + (habit.waits ? 1 : 0),
    fastestPercent: LEAST_FASTEST_PERCENT + Math.round(partOf(pair, 16) * 40),
  }
}

function partOf(hash = 0, shift = 0): number {
  return ((hash >>> shift) % 100) / 100
}

export function habitOf(operator: string): Habit {
  const habit = habits.find((known) => known.operator === operator)
  if (habit === undefined) throw new RangeError(`the demo knows no operator ${operator}`)
  return habit
}
