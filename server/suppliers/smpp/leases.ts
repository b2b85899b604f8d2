import type {
  BoughtNumber,
  Offer,
  PurchaseOrder,
  RefusedPurchase,
  SupplierContext,
  UnknownReference,
} from '../supplier.ts'
import { type Frontiers, frontierPosition, moveFrontier } from './frontier.ts'
import {
  countStock,
  insertLease,
  type Lease,
  type LeaseAttempt,
  refuseReference,
  selectLease,
} from './queries/leases.ts'
import type { RentAttempt } from './queries/rent-leases.ts'
import type { SmppSettings } from './settings.ts'

/** The numbers of one supplier row, as they are sold. */
export type Range = {
  ctx: SupplierContext
  supplierId: number
  settings: Pick<SmppSettings, 'currency' | 'services'>
  /** Of numbers never offered, by service, country and operator. */
  frontiers: Frontiers
}

/** An attempt that lost its number to another buyer is repeated: the other got it, so the buyers come to an end. */
export const MAX_ATTEMPTS = 50

export function createRange(ctx: SupplierContext, supplierId: number, settings: Range['settings']): Range {
  return { ctx, supplierId, settings, frontiers: new Map() }
}

/** What one activation of the service costs us; null: our numbers are not offered for it. */
function costMicros({ settings }: Range, serviceCode: string, countryId: number): bigint | null {
  const service = settings.services.find((candidate) => candidate.code === serviceCode)
  return service === undefined ? null : (service.costByCountry[countryId] ?? service.cost)
}

export async function listNumberOffers(range: Range): Promise<Offer[]> {
  const { settings } = range
  const codes = settings.services.map((service) => service.code)
  const offers: Offer[] = []
  for (const stock of await countStock(range.ctx.db, range.supplierId, codes)) {
    const cost = costMicros(range, stock.serviceCode, stock.countryId)
    if (cost !== null) offers.push({ ...stock, costMicros: cost, currency: settings.currency })
  }
  return offers
}

export async function buyNumber(range: Range, order: PurchaseOrder): Promise<BoughtNumber | RefusedPurchase> {
  const cost = costMicros(range, order.serviceCode, order.countryId)
  if (cost === null) return earlierPurchase(range, order, refused('no-numbers', 'the service is not offered'))
  return sellNumber(range, order, { cost, take: () => takeNumber(range, order, cost) })
}

/** What the reference bought; otherwise it is marked so that it never will. */
export async function findPurchase(
  range: Pick<Range, 'ctx' | 'supplierId'>,
  reference: string,
): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId } = range
  await refuseReference(ctx.db, { supplierId, reference, now: ctx.clock.now() })
  const lease = await selectLease(ctx.db, supplierId, reference)
  return (lease && asBought(lease)) ?? { outcome: 'none' }
}

async function takeNumber(range: Range, order: PurchaseOrder, cost: bigint): Promise<LeaseAttempt> {
  const { ctx, supplierId } = range
  const now = ctx.clock.now()
  const group = JSON.stringify([order.serviceCode, order.countryId, order.operator])
  let wait = false
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const fromPosition = frontierPosition(range.frontiers, group, now)
    const wish = { ...order, supplierId, costMicros: cost, now, fromPosition }
    const attempt = await insertLease(ctx.db, wish, { wait })
    if (attempt.outcome === 'known') return attempt
    if (attempt.outcome === 'leased' || (attempt.outcome === 'none' && wait)) {
      moveFrontier(range.frontiers, group, { position: attempt.position, now })
      return attempt
    }
    // Nothing was free at this moment, but a number may only be locked by a purchase for another service.
    wait ||= attempt.outcome === 'none'
  }
  return { outcome: 'raced' }
}

/** Sells what `take` takes, unless the order does not allow its cost. */
export async function sellNumber(
  range: Pick<Range, 'ctx' | 'supplierId'> & { settings: Pick<SmppSettings, 'currency'> },
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

/** What the reference bought before; most references are new, so only a purchase that came to nothing asks. */
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

/** null: the reference was given up without a number. */
function asBought({ reference, phone, operator, costMicros }: Lease): BoughtNumber | null {
  if (phone === null || operator === null || costMicros === null) return null
  return { outcome: 'bought', supplierReference: reference, phone, operator, costMicros }
}
