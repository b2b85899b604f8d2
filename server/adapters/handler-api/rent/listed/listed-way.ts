import { DAY, HOUR, SECOND } from '#contract/time.ts'
import type { Account } from '#server/adapters/handler-api/buy/account.ts'
import { type ListedRent, readContinueInfo } from '#server/adapters/handler-api/wire/read-listed-rent.ts'
import type { RentedNumber } from '#server/adapters/handler-api/wire/read-rent.ts'
import { meaningOf } from '#server/adapters/handler-api/wire/words.ts'
import type { Refusal } from '#server/adapters/shared/resold/buy.ts'
import type { RentalExtension } from '#server/core/suppliers/supplier.ts'
import { findRent, listLostRents, type ResoldExtension, type ResoldRent, resoldRents } from '../queries.ts'
import { wisherOf } from '../rent.ts'
import type { ReadyExtension, ReadyRent, Rents, RentWay, Sought, WantedRent } from '../rents.ts'
import { askServices, createListedOffers } from './listed-offers.ts'
import { pollListed, readNew } from './poll-listed.ts'
import { readAllListed } from './read-list.ts'
import { createRentalQueue } from './rental-queue.ts'

/** The longest time for which a supplier of this kind asks its own suppliers. */
const UNDER_WAY_THERE_MS = 45 * SECOND
/** The time after which a lost rental is no longer searched for, and staff must look for it by hand. */
const LOOKED_FOR_MS = HOUR

/**
 * Rents from services that do not store our order names. A rental whose reply was lost is found as the only new rental
 * in the service's list. These services take no maximum price, so the price is read again just before the request.
 */
export function createListedWay(account: Account): RentWay {
  return {
    readOffers: createListedOffers(account),
    inQueue: createRentalQueue(),
    readyRent,
    parametersOf: () => ({}),
    findRented,
    readyExtension,
    costOfGranted: ({ costMicros }) => costMicros,
    findExtended,
    look: pollListed,
    // The supplier returns no messages of an ended rental, so they are read before the end.
    readBeforeEnd: (rents, rent, signal) => readNew(rents, { ...rent, seen: 0 }, signal).then(() => undefined),
    readAfterEnd: async () => undefined,
  }
}

async function readyRent(
  { account }: Rents,
  { order, service, country }: WantedRent,
  signal: AbortSignal,
): Promise<ReadyRent | Refusal> {
  const { ctx, supplierId, code } = account
  const since = new Date(ctx.clock.now().getTime() - DAY)
  const lost = await listLostRents(ctx.db, { supplierId, since })
  if (lost.length > 0) return { reason: 'rejected', detail: `${lost[0]} is still looked for` }
  const wisher = wisherOf(order)
  const list = await askServices(account, { hours: order.hours, country, signal, wisher })
  const offer = list === null || list === 'not-here' ? undefined : list.services.get(service)
  if (offer === undefined || offer.stock === 0) return { reason: 'no-numbers', detail: 'not in stock' }
  if (offer.costMicros > order.maxCostMicros) return { reason: 'no-numbers', detail: 'dearer than it was' }
  const strangers = await listUnknown(account, { signal, wisher })
  if (strangers.length > 0) {
    const rentIds = strangers.map(({ rentId }) => rentId)
    ctx.log.warn({ supplier: code, rentIds }, 'a supplier lists rentals that are no order here')
  }
  return { costMicros: offer.costMicros, strangers: strangers.map(({ rentId }) => rentId) }
}

async function listUnknown(
  account: Account,
  how: { signal?: AbortSignal; wisher?: string } = {},
): Promise<ListedRent[]> {
  const { ctx, supplierId } = account
  const listed = await readAllListed(account, how)
  const theirIds = listed.map(({ rentId }) => rentId)
  const known = await resoldRents.listKnown(ctx.db, { supplierId, theirIds })
  return listed.filter(({ rentId }) => !known.has(rentId))
}

/** Finds a lost rental: the only new one in the list, because nothing is requested while it is lost. */
async function findRented({ account }: Rents, row: ResoldRent): Promise<RentedNumber | null> {
  const { ctx, code } = account
  const { reference, askedAt, strangers } = row
  // The request's age is computed before the poll. If the request had ended by then, the poll shows its result.
  const ageMs = ctx.clock.now().getTime() - askedAt.getTime()
  const fitting = (await listUnknown(account)).filter(({ rentId }) => !strangers.includes(rentId))
  const [rented] = fitting
  if (rented !== undefined && fitting.length === 1) return { ...rented, costMicros: null }
  if (rented === undefined && ageMs >= UNDER_WAY_THERE_MS) return null
  if (rented === undefined) throw new Error(`${reference} may still be under way`)
  if (ageMs < LOOKED_FOR_MS) throw new Error(`${reference} may be any of ${fitting.length} rentals`)
  const rentIds = fitting.map(({ rentId }) => rentId)
  ctx.log.error({ supplier: code, reference, rentIds }, 'one of these rentals may be ours: look by hand')
  return null
}

async function readyExtension(
  rents: Rents,
  { reference, supplierReference, hours, maxCostMicros }: RentalExtension,
  signal: AbortSignal,
): Promise<ReadyExtension | 'refused'> {
  const info = await askInfo(rents, { reference, supplierReference, hours, signal })
  if (info === 'refused' || info.costMicros > maxCostMicros) return 'refused'
  return { costMicros: info.costMicros, historyBefore: info.extensions }
}

async function findExtended(
  rents: Rents,
  { reference, extensionReference, hours }: Sought,
  { historyBefore, costMicros }: ResoldExtension,
): Promise<{ costMicros: bigint } | null> {
  const { ctx, code } = rents.account
  const info = historyBefore === null ? null : await askInfo(rents, { reference, hours })
  if (info === null || info === 'refused' || info.extensions === null || historyBefore === null) {
    const fields = { supplier: code, reference, extensionReference }
    ctx.log.error(fields, 'an extension may have been paid: this supplier does not tell')
    return null
  }
  return info.extensions > historyBefore ? { costMicros } : null
}

/** Reads the price and the number of earlier extensions. Throws if the reply cannot be read. */
async function askInfo(
  { account }: Rents,
  { reference, supplierReference, hours, signal }: Asked,
): Promise<{ costMicros: bigint; extensions: number | null } | 'refused'> {
  const row = await findRent(account.ctx.db, { supplierId: account.supplierId, reference })
  const parameters = { id: row?.rentId ?? supplierReference ?? '', hours: String(hours), needHistory: '1' }
  const reply = await account.ask({
    action: 'continueRentInfo',
    parameters,
    ...(signal && { signal, wisher: 'an extension' }),
  })
  const meaning = meaningOf(reply.word)
  if (meaning === 'rejected' || meaning === 'no-activation' || meaning === 'no-numbers') return 'refused'
  const info = reply.word === null ? readContinueInfo(reply) : null
  if (info === null) throw new Error(`an extension was answered with ${reply.word ?? `status ${reply.status}`}`)
  return info
}

type Asked = { reference: string; supplierReference?: string; hours: number; signal?: AbortSignal }
