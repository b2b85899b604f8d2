import { hashText } from '#contract/formats/text-hash.ts'
import { OUTCOME_BOUNDS_SECONDS } from '#server/core/catalog/health/outcome-bounds.ts'
import { demoCountryIds, demoServiceCodes } from '#server/house/seed/demo-offers.ts'
import type { DemoOutcome } from './queries.ts'

const habits: readonly { operator: string; purchases: number; codesPercent: number; waits: boolean }[] = [
  { operator: 'swift', purchases: 2200, codesPercent: 98, waits: false },
  { operator: 'steady', purchases: 900, codesPercent: 97, waits: true },
  { operator: 'twice', purchases: 14, codesPercent: 97, waits: false },
  { operator: 'unicode', purchases: 14, codesPercent: 95, waits: false },
  { operator: 'used', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'late', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'flaky', purchases: 12, codesPercent: 92, waits: true },
  { operator: 'silent', purchases: 12, codesPercent: 0, waits: false },
  { operator: 'notice', purchases: 12, codesPercent: 0, waits: false },
]

const MOST_LOST_PERCENT = 45
const SLOWEST_CLASS = 9

export function demoOutcomes(): DemoOutcome[] {
  return demoServiceCodes.flatMap((serviceCode) =>
    demoCountryIds.flatMap((countryId) => {
      const chance = hashText(`past ${serviceCode} ${countryId}`)
      // Squared badness leaves most offers good.
      const badness = ((chance % 100) / 100) ** 2
      const lostPercent = Math.round(badness * MOST_LOST_PERCENT)
      const fastestClass = Math.round((((chance >>> 8) % 100) / 100) * badness * SLOWEST_CLASS) + 1
      return habits.map(({ operator, purchases, codesPercent, waits }) => {
        const codes = Math.floor((purchases * Math.max(0, codesPercent - lostPercent)) / 100)
        const secondsCounts = spread(codes, fastestClass + (waits ? 2 : 0))
        return { serviceCode, countryId, operator, purchases, codes, secondsCounts }
      })
    }),
  )
}

function spread(codes: number, position: number): number[] {
  const counts = new Array<number>(OUTCOME_BOUNDS_SECONDS.length + 1).fill(0)
  const next = Math.floor(codes / 5)
  counts[position] = codes - 2 * next
  counts[position + 1] = next
  counts[position + 2] = next
  return counts
}
