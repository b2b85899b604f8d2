import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { behaviours } from '#server/adapters/simulator/behaviours.ts'
import { OUTCOME_BOUNDS_SECONDS } from '#server/core/catalog/health/outcome-bounds.ts'
import { NO_TERMS } from '#server/core/catalog/offers/price-offer.ts'
import { sellPrice } from '#server/core/catalog/rules/sell-price.ts'
import { demoCostMicros } from '#server/house/seed/demo-offers.ts'
import { habitOf, type Quality, qualityOf } from '../demo-quality.ts'
import type { Seeded } from './seeded.ts'
import { type WrittenSms, writeSms } from './sms-texts.ts'

export type PastSms = WrittenSms & { atMs: number }

export type PastOrder = {
  userId: number
  serviceCode: string
  countryId: number
  operatorWanted: string | null
  operator: string
  state: 'finished' | 'cancelled' | 'expired' | 'used'
  priceMicros: bigint
  costMicros: bigint
  createdAtMs: number
  endedAtMs: number
  refundedAtMs: number | null
  messages: readonly PastSms[]
  apiKeyId: number | null
}

export type Shopper = {
  userId: number
  orders: number
  days: number
  /** How much more is bought at the end of the days than at their beginning: 0 means equally much. */
  growth: number
  /** The keys of programs that buy a part of the numbers. */
  apiKeyIds: readonly number[]
}

const SERVICES = [
  ['tg', 24],
  ['wa', 19],
  ['go', 11],
  ['vk', 8],
  ['ig', 7],
  ['dr', 5],
  ['fb', 4],
  ['ya', 4],
  ['wx', 3],
  ['uu', 3],
  ['ds', 3],
  ['am', 2],
  ['tw', 2],
  ['lf', 2],
  ['mm', 1],
  ['vi', 1],
  ['ok', 1],
  ['ma', 1],
] as const
const COUNTRIES = [
  [0, 20],
  [6, 17],
  [187, 9],
  [22, 8],
  [2, 8],
  [10, 7],
  [4, 6],
  [16, 6],
  [43, 5],
  [73, 4],
  [12, 3],
  [48, 2],
  [40, 2],
  [15, 2],
  [56, 1],
] as const
const RUSSIAN_SERVICES = new Set(['vk', 'ok', 'ya', 'uu', 'ma'])
const RUSSIAN_COUNTRIES = [
  [0, 14],
  [2, 5],
  [51, 1],
] as const
/** Null leaves the choice to the simulator, which then sells a number of `swift`. */
const OPERATORS = [
  [null, 52],
  ['swift', 12],
  ['steady', 20],
  ['twice', 6],
  ['unicode', 3],
  ['flaky', 4],
  ['used', 1],
  ['silent', 2],
] as const

const MARGIN = { kind: 'margin', percent: 30 } as const
const LIFETIME_MS = 20 * MINUTE
/** Every past order has ended: the youngest is older than a number's lifetime. */
const YOUNGEST_MS = 45 * MINUTE
const REFUNDED_SHARE = 0.012
/** The hours of Moscow, in which most people of the demo live. */
const ZONE_MS = 3 * HOUR
const HOUR_WEIGHTS = [3, 2, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 9, 9, 10, 10, 9, 9, 10, 10, 9, 7, 5]
const WEEKEND_WEIGHT = 0.65

export function drawOrders(seeded: Seeded, shopper: Shopper, nowMs: number): PastOrder[] {
  return Array.from({ length: shopper.orders }, () => drawOrder(seeded, shopper, drawTime(seeded, shopper, nowMs)))
}

/** Draws a time until one is kept: nights and weekends are quiet. */
function drawTime(seeded: Seeded, { days, growth }: Shopper, nowMs: number): number {
  for (;;) {
    const ageMs = seeded.between(YOUNGEST_MS, days * DAY)
    const local = new Date(nowMs - ageMs + ZONE_MS)
    const isWeekend = local.getUTCDay() % 6 === 0
    const grown = (1 + growth * (1 - ageMs / (days * DAY))) / (1 + growth)
    const kept = ((HOUR_WEIGHTS[local.getUTCHours()] ?? 1) / 10) * (isWeekend ? WEEKEND_WEIGHT : 1) * grown
    if (seeded.share() < kept) return Math.floor(nowMs - ageMs)
  }
}

function drawOrder(seeded: Seeded, { userId, apiKeyIds }: Shopper, createdAtMs: number): PastOrder {
  const serviceCode = seeded.weighed(SERVICES)
  const countryId = seeded.weighed<number>(RUSSIAN_SERVICES.has(serviceCode) ? RUSSIAN_COUNTRIES : COUNTRIES)
  const operatorWanted = seeded.weighed<string | null>(OPERATORS)
  const operator = operatorWanted ?? 'swift'
  const { costMicros, priceMicros } = pricesOf({ serviceCode, countryId, operator })
  const apiKeyId = apiKeyIds.length > 0 && seeded.share() < 0.3 ? seeded.pick(apiKeyIds) : null
  const bought = {
    userId,
    serviceCode,
    countryId,
    operatorWanted,
    operator,
    priceMicros,
    costMicros,
    createdAtMs,
    apiKeyId,
  }
  return { ...bought, ...drawEnd(seeded, bought) }
}

export function pricesOf(offer: { serviceCode: string; countryId: number; operator: string }) {
  const percent = behaviours.find(({ operator }) => operator === offer.operator)?.costPercent ?? 100
  const costMicros = (demoCostMicros(offer.serviceCode, offer.countryId) * BigInt(percent)) / 100n
  return { costMicros, priceMicros: priceOf(costMicros) }
}

export function priceOf(costMicros: bigint): bigint {
  return sellPrice({ micros: costMicros, currency: 'rub' }, MARGIN, 'rub', NO_TERMS)
}

type Bought = Pick<PastOrder, 'serviceCode' | 'countryId' | 'operator' | 'createdAtMs'>

function drawEnd(seeded: Seeded, bought: Bought): Pick<PastOrder, 'state' | 'endedAtMs' | 'messages' | 'refundedAtMs'> {
  const { createdAtMs, operator } = bought
  const quality = qualityOf(bought, habitOf(operator))
  const without = { messages: [], refundedAtMs: null }
  if (operator === 'used') return { ...without, state: 'used', endedAtMs: createdAtMs + 5 * SECOND }
  if (seeded.share() * 100 >= quality.codesPercent) {
    const isCancelled = seeded.share() < 0.7
    const waitedMs = isCancelled ? Math.floor(seeded.between(2.2, 11) * MINUTE) : LIFETIME_MS
    return { ...without, state: isCancelled ? 'cancelled' : 'expired', endedAtMs: createdAtMs + waitedMs }
  }
  const firstAtMs = createdAtMs + Math.floor(drawSeconds(seeded, quality) * SECOND)
  const messages = [{ ...writeSms(seeded, bought), atMs: firstAtMs }]
  for (
    let more = seeded.weighed([
      [0, 84],
      [1, 12],
      [2, 4],
    ]);
    more > 0;
    more -= 1
  ) {
    const atMs = (messages.at(-1)?.atMs ?? firstAtMs) + Math.floor(seeded.between(35, 150) * SECOND)
    messages.push({ ...writeSms(seeded, bought), atMs })
  }
  const lastAtMs = messages.at(-1)?.atMs ?? firstAtMs
  const endedAtMs =
    seeded.share() < 0.6 ? lastAtMs + Math.floor(seeded.between(10, 200) * SECOND) : createdAtMs + LIFETIME_MS
  const refundedAtMs = seeded.share() < REFUNDED_SHARE ? endedAtMs + Math.floor(seeded.between(3, 24) * MINUTE) : null
  return { state: 'finished', endedAtMs: Math.max(endedAtMs, lastAtMs + SECOND), messages, refundedAtMs }
}

/** Draws the wait for a code as demo-outcomes.ts counts it. */
function drawSeconds(seeded: Seeded, { fastestClass, fastestPercent }: Quality): number {
  const slower = 100 - fastestPercent
  const later = seeded.weighed([
    [0, fastestPercent],
    [1, slower * 0.6],
    [2, slower * 0.4],
  ])
  const bounds: readonly number[] = OUTCOME_BOUNDS_SECONDS
  const upper = bounds[fastestClass + later] ?? LIFETIME_MS / SECOND
  return seeded.between(bounds[fastestClass + later - 1] ?? 0, upper)
}
