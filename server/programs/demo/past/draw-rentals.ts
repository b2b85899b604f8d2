import { FULL_NUMBER } from '#contract/rental.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { rentBehaviour, rentCostMicros } from '#server/adapters/simulator/rent-offers.ts'
import { CANCEL_MS } from '#server/core/numbers/rentals/times.ts'
import { type PastSms, priceOf } from './draw-orders.ts'
import type { Seeded } from './seeded.ts'
import { writeSms } from './sms-texts.ts'

type Plan = {
  serviceCode: string
  countryId: number
  operator: string
  agoMs: number
  hours: number
  messages: number
  state: PastRental['state']
  /** The hours of a second period, paid for near the end of the first. */
  extensionHours?: number
}

export type PastRental = {
  userId: number
  serviceCode: string
  countryId: number
  operator: string
  state: 'active' | 'expired' | 'finished' | 'cancelled'
  hours: number
  extensionHours: number
  priceMicros: bigint
  extensionMicros: bigint
  costMicros: bigint
  createdAtMs: number
  capturedAtMs: number | null
  extendedAtMs: number
  expiresAtMs: number
  endedAtMs: number | null
  messages: readonly PastSms[]
}

const plans: readonly Plan[] = [
  { serviceCode: 'tg', countryId: 0, operator: 'swift', agoMs: 78 * DAY, hours: 24, messages: 3, state: 'expired' },
  { serviceCode: 'wa', countryId: 16, operator: 'steady', agoMs: 61 * DAY, hours: 168, messages: 9, state: 'expired' },
  {
    serviceCode: FULL_NUMBER,
    countryId: 0,
    operator: 'swift',
    agoMs: 40 * DAY,
    hours: 24,
    messages: 7,
    state: 'finished',
  },
  { serviceCode: 'go', countryId: 43, operator: 'silent', agoMs: 33 * DAY, hours: 4, messages: 0, state: 'cancelled' },
  {
    serviceCode: 'tg',
    countryId: 2,
    operator: 'steady',
    agoMs: 19 * DAY,
    hours: 72,
    messages: 8,
    state: 'expired',
    extensionHours: 72,
  },
  { serviceCode: 'wa', countryId: 6, operator: 'steady', agoMs: 2.2 * DAY, hours: 168, messages: 6, state: 'active' },
]
/** The services that write to a number that is rented for all services. */
const WRITERS = ['tg', 'vk', 'ya', 'go', 'wa'] as const

export function drawRentals(seeded: Seeded, { userId, nowMs }: { userId: number; nowMs: number }): PastRental[] {
  return plans.map((plan) => drawRental(seeded, plan, { userId, nowMs }))
}

function drawRental(seeded: Seeded, plan: Plan, { userId, nowMs }: { userId: number; nowMs: number }): PastRental {
  const { serviceCode, countryId, operator, state, hours, extensionHours = 0 } = plan
  const createdAtMs = Math.floor(nowMs - plan.agoMs)
  const expiresAtMs = createdAtMs + (hours + extensionHours) * HOUR
  const endedAtMs = endOf(plan, { createdAtMs, expiresAtMs })
  const messages = drawMessages(seeded, plan, { fromMs: createdAtMs, untilMs: endedAtMs ?? nowMs })
  const costMicros = costOf({ ...plan, hours })
  const extensionMicros = extensionHours === 0 ? 0n : priceOf(costOf({ ...plan, hours: extensionHours }))
  const capturedAtMs = state === 'cancelled' ? null : (messages[0]?.atMs ?? createdAtMs + CANCEL_MS)
  return {
    userId,
    serviceCode,
    countryId,
    operator,
    state,
    hours,
    extensionHours,
    messages,
    createdAtMs,
    expiresAtMs,
    endedAtMs,
    capturedAtMs,
    costMicros,
    extensionMicros,
    priceMicros: priceOf(costMicros),
    extendedAtMs: createdAtMs + hours * HOUR - 5 * HOUR,
  }
}

function costOf(plan: Plan): bigint {
  const behaviour = rentBehaviour(plan.operator)
  const costMicros = behaviour === undefined ? null : rentCostMicros(plan, behaviour)
  if (costMicros === null)
    throw new RangeError(`the demo does not rent ${plan.serviceCode} in country ${plan.countryId}`)
  return costMicros
}

function endOf({ state }: Plan, { createdAtMs, expiresAtMs }: { createdAtMs: number; expiresAtMs: number }) {
  if (state === 'active') return null
  if (state === 'cancelled') return createdAtMs + 12 * MINUTE
  return state === 'finished' ? expiresAtMs - 7 * HOUR : expiresAtMs
}

function drawMessages(
  seeded: Seeded,
  { serviceCode, countryId, messages }: Plan,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): PastSms[] {
  const times = Array.from({ length: messages }, (_, place) => {
    const share = place === 0 ? 0.002 : seeded.between(0.01, 0.97)
    return Math.floor(fromMs + share * (untilMs - fromMs))
  })
  return times
    .toSorted((one, other) => one - other)
    .map((atMs) => {
      const writer = serviceCode === FULL_NUMBER ? seeded.pick(WRITERS) : serviceCode
      return { ...writeSms(seeded, { serviceCode: writer, countryId }), atMs }
    })
}
