import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import { demoCostMicros, demoCountryIds, demoServiceCodes, demoStock } from '#server/house/seed/demo-offers.ts'
import { readSeedCountries } from '#server/house/seed/seed-tables.ts'
import { type Behaviour, behaviours } from './behaviours.ts'

const RENTED_SERVICES = 15
const serviceCodes: readonly string[] = [FULL_NUMBER, ...demoServiceCodes.slice(0, RENTED_SERVICES)]
const rentable = new Set(readSeedCountries().flatMap(({ id, rent }) => (rent ? [id] : [])))
const countryIds: readonly number[] = demoCountryIds.filter((id) => rentable.has(id))
const operators = ['swift', 'steady', 'twice', 'unicode', 'silent']

const DAY_IN_ACTIVATIONS = 5n
const FULL_DAY_IN_ACTIVATIONS = 12n
const FULL_PRICED_AS = 'tg'

const PERIOD_PERCENT: Record<(typeof RENT_PERIODS_HOURS)[number], bigint> = {
  4: 40n,
  24: 100n,
  72: 240n,
  168: 450n,
  336: 780n,
  720: 1_400n,
  1440: 2_400n,
}
const KOPECK_MICROS = 10_000n
const STOCK_SHARE = 4

export function rentBehaviour(operator: string | null): Behaviour | undefined {
  const wanted = operator ?? 'swift'
  return operators.includes(wanted) ? behaviours.find((behaviour) => behaviour.operator === wanted) : undefined
}

export function rentCostMicros(
  kind: { serviceCode: string; countryId: number; hours: number },
  behaviour: Behaviour,
): bigint | null {
  const { serviceCode, countryId, hours } = kind
  const period = RENT_PERIODS_HOURS.find((known) => known === hours)
  if (period === undefined || !serviceCodes.includes(serviceCode) || !countryIds.includes(countryId)) return null
  const whole = serviceCode === FULL_NUMBER
  const activation = demoCostMicros(whole ? FULL_PRICED_AS : serviceCode, countryId)
  const day = activation * (whole ? FULL_DAY_IN_ACTIVATIONS : DAY_IN_ACTIVATIONS)
  const cost = (day * PERIOD_PERCENT[period] * BigInt(behaviour.costPercent)) / 10_000n
  return (cost / KOPECK_MICROS) * KOPECK_MICROS
}

export const writingServices: readonly string[] = serviceCodes.filter((code) => code !== FULL_NUMBER)

let offers: RentOffer[] | undefined

export function listDemoRentOffers(): RentOffer[] {
  offers ??= serviceCodes.flatMap((serviceCode) => countryIds.flatMap((countryId) => offersOf(serviceCode, countryId)))
  return offers
}

function offersOf(serviceCode: string, countryId: number): RentOffer[] {
  const sold = demoStock(serviceCode === FULL_NUMBER ? FULL_PRICED_AS : serviceCode, countryId)
  const stock = Math.ceil(sold / STOCK_SHARE)
  return operators.flatMap((operator) =>
    RENT_PERIODS_HOURS.flatMap((hours) => {
      const behaviour = rentBehaviour(operator)
      const costMicros = behaviour === undefined ? null : rentCostMicros({ serviceCode, countryId, hours }, behaviour)
      if (costMicros === null) return []
      return [{ serviceCode, countryId, operator, hours, costMicros, currency: 'rub' as const, stock }]
    }),
  )
}
