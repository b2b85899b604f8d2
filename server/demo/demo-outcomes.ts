import { hashText } from '#contract/text-hash.ts'
import { OUTCOME_BOUNDS_SECONDS } from '#server/features/catalog/outcome-bounds.ts'
import { demoCountryIds, demoServiceCodes } from '#server/features/catalog/seed/demo-offers.ts'
import type { DemoOutcome } from './queries.ts'

/** How often each operator of the simulator was bought in the invented past, and what it really does with a purchase. */
const habits: readonly { operator: string; purchases: number; codesPercent: number; bounds: readonly number[] }[] = [
  { operator: 'swift', purchases: 2200, codesPercent: 96, bounds: [2] },
  { operator: 'steady', purchases: 900, codesPercent: 95, bounds: [5, 8] },
  { operator: 'twice', purchases: 14, codesPercent: 97, bounds: [3] },
  { operator: 'unicode', purchases: 14, codesPercent: 95, bounds: [3] },
  { operator: 'used', purchases: 12, codesPercent: 0, bounds: [] },
  { operator: 'late', purchases: 12, codesPercent: 0, bounds: [] },
  { operator: 'flaky', purchases: 12, codesPercent: 92, bounds: [3, 5] },
  { operator: 'silent', purchases: 12, codesPercent: 0, bounds: [] },
]

/** The same on every start: countries differ, operators keep their character. */
export function demoOutcomes(): DemoOutcome[] {
  return demoServiceCodes.flatMap((serviceCode) =>
    demoCountryIds.flatMap((countryId) =>
      habits.map(({ operator, purchases, codesPercent, bounds }) => {
        const chance = hashText(`past ${serviceCode} ${countryId} ${operator}`)
        const bought = purchases + (chance % 7)
        const codes = Math.floor((bought * Math.max(0, codesPercent - ((chance >>> 4) % 18))) / 100)
        return { serviceCode, countryId, operator, purchases: bought, codes, secondsCounts: spread(codes, bounds) }
      }),
    ),
  )
}

function spread(codes: number, bounds: readonly number[]): number[] {
  const counts = new Array<number>(OUTCOME_BOUNDS_SECONDS.length + 1).fill(0)
  for (const [place, bound] of bounds.entries()) {
    const position = OUTCOME_BOUNDS_SECONDS.findIndex((one) => one === bound)
    const share = Math.floor(codes / bounds.length)
    counts[position] = place === 0 ? codes - share * (bounds.length - 1) : share
  }
  return counts
}
