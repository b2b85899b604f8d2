import { hashText } from '#contract/formats/text-hash.ts'
import { OUTCOME_BOUNDS_SECONDS } from '#server/core/catalog/health/outcome-bounds.ts'
import { demoCountryIds, demoServiceCodes } from '#server/house/seed/demo-offers.ts'
import { habits, type Quality, qualityOf } from './demo-quality.ts'
import type { DemoOutcome } from './queries.ts'

const HOURS_FILLED = 24

export function demoOutcomes(): DemoOutcome[] {
  return demoServiceCodes.flatMap((serviceCode) =>
    demoCountryIds.flatMap((countryId) =>
      habits.map((habit, position) => {
        const { operator, purchases } = habit
        const quality = qualityOf({ serviceCode, countryId }, habit)
        const hours = hashText(`hours ${serviceCode} ${countryId} ${position}`)
        // The distance of two drawn hours makes recent hours busier, so that the day has a course.
        const hoursAgo = Math.abs((hours % HOURS_FILLED) - ((hours >>> 8) % HOURS_FILLED))
        const codes = Math.floor((purchases * quality.codesPercent) / 100)
        return { serviceCode, countryId, operator, hoursAgo, purchases, codes, secondsCounts: spread(codes, quality) }
      }),
    ),
  )
}

function spread(codes: number, { fastestClass, fastestPercent }: Quality): number[] {
  const counts = new Array<number>(OUTCOME_BOUNDS_SECONDS.length + 1).fill(0)
  const fastest = Math.floor((codes * fastestPercent) / 100)
  const next = Math.floor(((codes - fastest) * 3) / 5)
  counts[fastestClass] = fastest
  counts[fastestClass + 1] = next
  counts[fastestClass + 2] = codes - fastest - next
  return counts
}
