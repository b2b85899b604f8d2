import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type {
  BoughtNumber,
  RefusedPurchase,
  RentalExtension,
  RentOffer,
  RentOrder,
  UnknownReference,
} from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { countedServices, earlierPurchase, MAX_ATTEMPTS, refused, saleRule, sellNumber } from './leases.ts'
import { extendRentLease, insertRentLease, type RentAttempt, selectRented } from './queries/rent-leases.ts'
import { countRentStock } from './queries/stock.ts'
import { advanceScan, type ScanHints, scanStart } from './scan-hints.ts'
import type { OwnNumbers } from './settings.ts'

export type RentRange = {
  ctx: Context
  supplierId: number
  settings: Pick<OwnNumbers, 'currency' | 'rent' | 'exclusive'>
  /** The position of the first rentable number, by service, country and operator. Most of an old range is spent. */
  scanHints: ScanHints
}

function costMicros({ settings }: RentRange, serviceCode: string, countryId: number, hours: number): bigint | null {
  const service = settings.rent.find((candidate) => candidate.code === serviceCode)
  return service?.costByCountry[countryId]?.[hours] ?? service?.cost[hours] ?? null
}

export async function listRentedOut(range: RentRange): Promise<RentOffer[]> {
  const { ctx, supplierId, settings } = range
  const services = countedServices(ctx, settings.rent)
  if (services.length === 0) return []
  const question = { supplierId, services, exclusive: settings.exclusive, now: ctx.clock.now() }
  const offers: RentOffer[] = []
  for (const stock of await countRentStock(ctx.db, question)) {
    for (const hours of RENT_PERIODS_HOURS) {
      const cost = costMicros(range, stock.serviceCode, stock.countryId, hours)
      if (cost !== null) offers.push({ ...stock, hours, costMicros: cost, currency: settings.currency })
    }
  }
  return offers
}

export async function rentNumber(range: RentRange, order: RentOrder): Promise<BoughtNumber | RefusedPurchase> {
  const cost = costMicros(range, order.serviceCode, order.countryId, order.hours)
  if (cost === null) return earlierPurchase(range, order, refused('no-numbers', 'this is not rented out'))
  return sellNumber(range, order, { cost, take: () => takeNumber(range, order, cost) })
}

async function takeNumber(range: RentRange, order: RentOrder, cost: bigint): Promise<RentAttempt> {
  const { ctx, supplierId, scanHints } = range
  const now = ctx.clock.now()
  const group = JSON.stringify([order.serviceCode, order.countryId, order.operator])
  const rule = saleRule(range, order)
  let fromPosition = scanStart(scanHints, group, now)
  let wait = false
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const wish = { ...order, ...rule, supplierId, costMicros: cost, now, fromPosition }
    const attempt = await insertRentLease(ctx.db, wish, { wait })
    if (attempt.outcome === 'leased') advanceScan(scanHints, group, { position: attempt.position, now })
    if (attempt.outcome === 'leased' || attempt.outcome === 'known') return attempt
    if (attempt.outcome === 'raced') continue
    // The first retry scans from the start, for numbers given back meanwhile. The second waits for locked numbers,
    // because a lock's holder may not take the number.
    if (fromPosition > 0n) fromPosition = 0n
    else if (wait) return attempt
    else wait = true
  }
  return { outcome: 'raced' }
}

/** Extends a rental. Refuses for good if the number is disabled, the length is not offered, or the cost is too high. */
export async function extendRented(
  range: RentRange,
  extension: RentalExtension,
): Promise<{ outcome: 'extended'; costMicros: bigint } | { outcome: 'refused' }> {
  const { ctx, supplierId } = range
  const { reference, extensionReference, hours, expiresAt } = extension
  const found = await extendRentLease(ctx.db, {
    supplierId,
    extensionReference,
    reference,
    hours,
    expiresAt,
    costMicros: await extensionCost(range, extension),
    now: ctx.clock.now(),
  })
  return found === null ? { outcome: 'refused' } : { outcome: 'extended', costMicros: found }
}

/** Finds an extension of a rental. Refuses an unknown one for good, so that no later call can make it. */
export async function findExtended(
  { ctx, supplierId }: RentRange,
  { reference, extensionReference, hours }: Pick<RentalExtension, 'reference' | 'extensionReference' | 'hours'>,
): Promise<{ outcome: 'extended'; costMicros: bigint } | UnknownReference> {
  const now = ctx.clock.now()
  const key = { supplierId, extensionReference, reference, hours }
  const costMicros = await extendRentLease(ctx.db, { ...key, costMicros: null, expiresAt: now, now })
  return costMicros === null ? { outcome: 'none' } : { outcome: 'extended', costMicros }
}

async function extensionCost(range: RentRange, extension: RentalExtension): Promise<bigint | null> {
  const rented = await selectRented(range.ctx.db, range.supplierId, extension.reference)
  if (rented === null || !rented.enabled || extension.currency !== range.settings.currency) return null
  const cost = costMicros(range, rented.serviceCode, rented.countryId, extension.hours)
  return cost !== null && cost <= extension.maxCostMicros ? cost : null
}
