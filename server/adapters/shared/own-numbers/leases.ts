import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import type {
  BoughtNumber,
  Offer,
  PurchaseOrder,
  RefusedPurchase,
  StockOrder,
  StockSale,
  UnknownReference,
} from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import {
  insertLease,
  type Lease,
  type LeaseAttempt,
  refuseReference,
  type SaleRule,
  selectLease,
} from './queries/leases.ts'
import type { RentAttempt } from './queries/rent-leases.ts'
import { insertRepeatedLease } from './queries/repeated-leases.ts'
import { saleSql } from './queries/sale-sql.ts'
import { type CountedService, countStock } from './queries/stock.ts'
import { advanceScan, noteSkip, type ScanHints, scanStart, skipPosition } from './scan-hints.ts'
import type { OwnNumbers } from './settings.ts'

export type Range = {
  ctx: Context
  supplierId: number
  settings: Pick<OwnNumbers, 'currency' | 'services' | 'exclusive'>
  /** The position of the first number that was never offered, by service, country and operator. */
  scanHints: ScanHints
  /** The position behind a run of numbers that may not be sold now, by service, country and operator. */
  skips: ScanHints
}

type Wanted = Pick<PurchaseOrder, 'serviceCode' | 'countryId' | 'operator'>

/** The maximum number of attempts to reserve a number. After each lost race another buyer has a number. */
export const MAX_ATTEMPTS = 50

export function createRange(ctx: Context, supplierId: number, settings: Range['settings']): Range {
  return { ctx, supplierId, settings, scanHints: new Map(), skips: new Map() }
}

function costMicros({ settings }: Range, serviceCode: string, countryId: number): bigint | null {
  const service = settings.services.find((candidate) => candidate.code === serviceCode)
  return service === undefined ? null : (service.costByCountry[countryId] ?? service.cost)
}

export async function listNumberOffers(range: Range): Promise<Offer[]> {
  const { ctx, supplierId, settings } = range
  const services = countedServices(ctx, settings.services)
  const offers: Offer[] = []
  const question = { supplierId, services, exclusive: settings.exclusive, now: ctx.clock.now() }
  for (const stock of await countStock(ctx.db, question)) {
    const cost = costMicros(range, stock.serviceCode, stock.countryId)
    if (cost !== null) offers.push({ ...stock, costMicros: cost, currency: settings.currency })
  }
  return offers
}

export function countedServices(ctx: Context, services: readonly { code: string }[]): CountedService[] {
  return services.map(({ code }) => ({
    code,
    family: senderBookOf(ctx).familyOf(code),
    sendersKnown: senderBookOf(ctx).sendersKnown(code),
  }))
}

export function saleRule(
  { ctx, settings }: { ctx: Context; settings: Pick<OwnNumbers, 'exclusive'> },
  { buyerId, serviceCode }: Pick<PurchaseOrder, 'buyerId' | 'serviceCode'>,
): SaleRule {
  const family = senderBookOf(ctx).familyOf(serviceCode)
  return { buyerId, family, sendersKnown: senderBookOf(ctx).sendersKnown(serviceCode), exclusive: settings.exclusive }
}

export async function buyNumber(range: Range, order: PurchaseOrder): Promise<BoughtNumber | RefusedPurchase> {
  const cost = costMicros(range, order.serviceCode, order.countryId)
  if (cost === null) return earlierPurchase(range, order, refused('no-numbers', 'the service is not offered'))
  return sellNumber(range, order, { cost, take: () => takeWanted(range, order, cost) })
}

async function takeWanted(range: Range, order: PurchaseOrder, cost: bigint): Promise<LeaseAttempt | RentAttempt> {
  const { ctx, supplierId } = range
  const { repeatOf } = order
  if (repeatOf === undefined) return takeNumber(range, order, cost)
  const rule = saleRule(range, order)
  return insertRepeatedLease(ctx.db, {
    ...order,
    ...rule,
    repeatOf,
    supplierId,
    costMicros: cost,
    now: ctx.clock.now(),
  })
}

/** Finds a purchase by its reference. Refuses an unknown reference for good, so that no later call can buy with it. */
export async function findPurchase(
  range: Pick<Range, 'ctx' | 'supplierId'>,
  reference: string,
): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId } = range
  await refuseReference(ctx.db, { supplierId, reference, now: ctx.clock.now() })
  const lease = await selectLease(ctx.db, supplierId, reference)
  return (lease && asBought(lease)) ?? { outcome: 'none' }
}

/** Returns the SQL of a short look for a number, or null if the terms of the order refuse every number. */
export function saleInStatement(range: Range, order: StockOrder): StockSale | null {
  const { ctx, supplierId, settings } = range
  const cost = costMicros(range, order.serviceCode, order.countryId)
  if (cost === null || order.currency !== settings.currency || cost > order.maxCostMicros) return null
  const now = ctx.clock.now()
  const { operator, excludedPrefixes = [] } = order
  const scan = scanOf(range, order, now)
  return {
    ...saleSql(),
    values: {
      ...saleRule(range, order),
      supplierId,
      operator,
      excludedPrefixes,
      costMicros: cost,
      fromPosition: scan.from,
    },
    notePosition: scan.noteFree,
  }
}

/** Where a scan for a number begins. `skips` means that the scan leaves out a run of numbers that may not be sold now. */
function scanOf(range: Range, { serviceCode, countryId, operator }: Wanted, now: Date, forgetSkips = false) {
  const group = JSON.stringify([serviceCode, countryId, operator])
  const hint = scanStart(range.scanHints, group, now)
  const skip = forgetSkips ? 0n : skipPosition(range.skips, group, now)
  const skips = skip > hint
  return {
    from: skips ? skip : hint,
    skips,
    noteFree: (position: bigint) => {
      if (!skips) advanceScan(range.scanHints, group, { position, now })
    },
    noteTaken: (position: bigint) => noteSkip(range.skips, group, { position, now }),
  }
}

async function takeNumber(range: Range, order: PurchaseOrder, cost: bigint): Promise<LeaseAttempt> {
  const { ctx, supplierId } = range
  const now = ctx.clock.now()
  const rule = saleRule(range, order)
  let patient = false
  let forgetSkips = false
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const scan = scanOf(range, order, now, forgetSkips)
    const wish = { ...order, ...rule, supplierId, costMicros: cost, now, fromPosition: scan.from }
    const attempt = await insertLease(ctx.db, wish, { patient })
    if (attempt.outcome === 'known') return attempt
    if (attempt.outcome === 'leased' || (attempt.outcome === 'none' && patient && !scan.skips)) {
      scan.noteFree(attempt.position)
      if (patient && attempt.outcome === 'leased' && attempt.takenAt !== null) scan.noteTaken(attempt.takenAt)
      return attempt
    }
    // No number behind the remembered position can be sold, so the scan starts over.
    forgetSkips ||= attempt.outcome === 'none' && patient
    // Another purchase may hold the lock, or the next few numbers may not be sold to this buyer. So the next attempt
    // scans all the numbers and waits for locks.
    patient ||= attempt.outcome === 'none'
  }
  return { outcome: 'raced' }
}

export async function sellNumber(
  range: Pick<Range, 'ctx' | 'supplierId'> & { settings: Pick<OwnNumbers, 'currency'> },
  order: Pick<PurchaseOrder, 'reference' | 'currency' | 'maxCostMicros'>,
  { cost, take }: { cost: bigint; take: () => Promise<LeaseAttempt | RentAttempt> },
): Promise<BoughtNumber | RefusedPurchase> {
  const { currency } = range.settings
  if (order.currency !== currency)
    return earlierPurchase(range, order, refused('rejected', `our numbers cost ${currency}`))
  if (cost > order.maxCostMicros)
    return earlierPurchase(range, order, refused('rejected', 'the cost is above the limit'))
  const attempt = await take()
  const bought = attempt.outcome === 'leased' ? asBought(attempt.lease) : null
  return bought ?? earlierPurchase(range, order, refused('no-numbers'))
}

/**
 * Returns what an earlier call with this reference bought, or else `otherwise`. Most references are new, so only a
 * failed purchase needs this query.
 */
export async function earlierPurchase(
  range: Pick<Range, 'ctx' | 'supplierId'>,
  { reference }: { reference: string },
  otherwise: RefusedPurchase,
): Promise<BoughtNumber | RefusedPurchase> {
  const lease = await selectLease(range.ctx.db, range.supplierId, reference)
  if (lease === null) return otherwise
  if (lease.state === 'ended') return refused('rejected', 'the reference has bought and given back its number')
  return asBought(lease) ?? refused('rejected', 'the reference was given up')
}

export function refused(reason: RefusedPurchase['reason'], detail?: string): RefusedPurchase {
  return { outcome: 'refused', reason, ...(detail !== undefined && { detail }) }
}

function asBought({ reference, phone, operator, costMicros }: Lease): BoughtNumber | null {
  if (phone === null || operator === null || costMicros === null) return null
  return { outcome: 'bought', supplierReference: reference, phone, operator, costMicros }
}
