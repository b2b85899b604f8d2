import { ANY_OPERATOR } from '#contract/catalog.ts'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { SECOND } from '#contract/time.ts'
import { askSupplier } from '#server/core/catalog/health/ask-supplier.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Offer, RentOffer, Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { runYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'
import { catalogOf } from './catalog-index.ts'
import { listOfferRows, replaceOffers } from './queries.ts'
import { rentCatalogOf } from './rent-index.ts'
import { listRentOfferRows, replaceRentOffers } from './rent-queries.ts'
import { hasSums, saveChanges } from './save-queries.ts'
import { type ListSequence, supplierListsOf } from './supplier-lists.ts'

/** If a supplier does not list its offers within this time, its last known stock stays in force. */
const LIST_TIMEOUT_MS = 20 * SECOND
/** The maximum number of offers of a supplier, more than a large one has; further offers are dropped. */
const MAX_OFFERS = 500_000
const READ_AT_ONCE = 5_000
/** Stocks and costs above these limits would overflow the columns of the table. */
const MAX_STOCK = 1_000_000_000
const MAX_COST_MICROS = 1_000_000n * MICROS_PER_UNIT
/** An operator's name is at most as long as purchases allow. NUL is excluded, because PostgreSQL cannot store it. */
const OPERATOR_PATTERN = /^[^\0]{1,60}$/

/**
 * Loads a supplier's stored offers, so that pages have prices before the supplier answers. If `currency` is set, offers
 * in other currencies are left out.
 */
export async function loadOffers(ctx: Context, supplierId: number, currency?: Currency): Promise<void> {
  const isPaid = (offer: Offer) => currency === undefined || offer.currency === currency
  const { activated, rented } = supplierListsOf(ctx).of(supplierId)
  await activated.next(async () => async () => {
    const all = await listOfferRows(ctx.db, supplierId)
    const rows = all.filter(isPaid)
    if ((await runYielding(catalogOf(ctx).replaceInPieces(supplierId, rows))) !== null)
      activated.listed = loaded(rows, all)
  })
  await rented.next(async () => async () => {
    const all = await listRentOfferRows(ctx.db, supplierId)
    const rows = all.filter(isPaid)
    rentCatalogOf(ctx).setOffers(supplierId, rows)
    rented.listed = loaded(rows, all)
  })
}

/** The index lacks offers in other currencies. If it has fewer offers than the table, the list counts as unsaved. */
const loaded = (rows: readonly Offer[], all: readonly Offer[]) =>
  rows.length === all.length ? undefined : { list: [], isSaved: false }

/**
 * Fetches a supplier's offers, unless its link is down, because codes would not arrive. An abort of `stopping` ends the
 * wait for the supplier's reply.
 */
export async function refreshOffers(ctx: Context, supplier: Supplier, stopping?: AbortSignal): Promise<void> {
  if (!isSelling(ctx, supplier)) return
  const { activated, rented } = supplierListsOf(ctx).of(supplier.id)
  await activated.next(async () => {
    const list = (signal: AbortSignal) => supplier.listOffers(signal)
    const given = await askFor(ctx, supplier, { call: 'list', list, stopping })
    return given && (() => takeActivated(ctx, { supplier, given, sequence: activated }))
  })
  if (!isSelling(ctx, supplier)) return
  await rented.next(async () => {
    const given = await askForRent(ctx, supplier, stopping)
    return given && (() => takeRented(ctx, { supplier, given, sequence: rented }))
  })
  isSelling(ctx, supplier)
}

type Answer<Listed extends Offer> = { supplier: Supplier; given: readonly Listed[]; sequence: ListSequence }

async function takeActivated(ctx: Context, { supplier, given, sequence }: Answer<Offer>): Promise<void> {
  const { id: supplierId } = supplier
  if (isListed(ctx, supplier, { sequence, given })) return
  // The service `full` (a number for all services) can only be rented, so its activation offers are dropped.
  const activated = given.filter(({ serviceCode }) => serviceCode !== FULL_NUMBER)
  const offers = supplier.hasFixedLists ? activated : await runYielding(lastOfEach(activated, keyOf))
  const count = await runYielding(countNumbers(offers))
  if (!isAtWork(ctx, supplier)) return
  healthBookOf(ctx).noteStock(supplierId, count)
  if (!isSelling(ctx, supplier)) return
  const replaced = sequence.listed
  const mark = { list: given, isSaved: false }
  sequence.listed = mark
  const changes = await runYielding(catalogOf(ctx).replaceInPieces(supplierId, offers))
  // `changes` is null if the supplier's offers were hidden or replaced meanwhile.
  if (changes === null) return
  // The node that receives for the supplier saves what it offers.
  if (!suppliersOf(ctx).receives(supplierId)) return
  const now = ctx.clock.now()
  if (replaced?.isSaved === true) await saveChanges(ctx.db, { supplierId, ...changes, now })
  else if (replaced !== undefined || changes.pairs.length > 0) {
    if (!(await isStored(ctx, { supplier, table: 'offers', offers })))
      await replaceOffers(ctx.db, { supplierId, offers, now })
  }
  // If the offers were hidden meanwhile, `sequence.listed` is no longer `mark`, so this assignment has no effect.
  mark.isSaved = true
}

/** Returns true if the sums of the stored offers equal the sums of the list. Reading all rows would slow the start. */
async function isStored(
  { db }: Context,
  { supplier, ...list }: { supplier: Supplier; table: 'offers' | 'rent_offers'; offers: readonly Offer[] },
): Promise<boolean> {
  return supplier.hasFixedLists === true && (await hasSums(db, { supplierId: supplier.id, ...list }))
}

/** If a supplier returns the very same list again, nothing is read, compared or stored. */
function isListed(
  ctx: Context,
  { id }: Supplier,
  { sequence: { listed }, given }: { sequence: ListSequence; given: readonly Offer[] },
): boolean {
  return listed?.list === given && (listed.isSaved || !suppliersOf(ctx).receives(id))
}

async function takeRented(ctx: Context, { supplier, given, sequence }: Answer<RentOffer>): Promise<void> {
  const { id: supplierId } = supplier
  if (isListed(ctx, supplier, { sequence, given })) return
  const rented = given.filter(({ hours }) => isPeriod(hours))
  const offers = supplier.hasFixedLists
    ? rented
    : await runYielding(lastOfEach(rented, (offer) => `${offer.hours} ${keyOf(offer)}`))
  if (!isSelling(ctx, supplier)) return
  const replaced = sequence.listed
  const mark = { list: given, isSaved: false }
  sequence.listed = mark
  const hasChanged = rentCatalogOf(ctx).setOffers(supplierId, offers)
  if (!suppliersOf(ctx).receives(supplierId)) return
  if (hasChanged || replaced?.isSaved === false) {
    const isSaved = await isStored(ctx, { supplier, table: 'rent_offers', offers })
    if (!isSaved) await replaceRentOffers(ctx.db, { supplierId, offers, now: ctx.clock.now() })
  }
  mark.isSaved = true
}

/** Returns true if `supplier` is the active object; a replaced or removed object may change nothing. */
const isAtWork = (ctx: Context, supplier: Supplier): boolean => suppliersOf(ctx).get(supplier.id) === supplier

/** Returns true if the supplier may sell; hides its offers if its link is down. */
function isSelling(ctx: Context, supplier: Supplier): boolean {
  if (!isAtWork(ctx, supplier)) return false
  if (supplier.link?.().up !== false) return true
  hideOffers(ctx, supplier.id)
  return false
}

/**
 * Hides a supplier's offers in memory. The database keeps the last known stock, and a restored link requests new lists.
 */
export function hideOffers(ctx: Context, supplierId: number): void {
  const { activated, rented } = supplierListsOf(ctx).of(supplierId)
  for (const sequence of [activated, rented]) sequence.listed = { list: [], isSaved: false }
  catalogOf(ctx).setOffers(supplierId, [])
  rentCatalogOf(ctx).setOffers(supplierId, [])
}

async function askForRent(
  ctx: Context,
  supplier: Supplier,
  stopping: AbortSignal | undefined,
): Promise<RentOffer[] | null> {
  const { rent } = supplier
  if (rent === undefined) return []
  return askFor(ctx, supplier, { call: 'list-rent', list: (signal) => rent.listRentOffers(signal), stopping })
}

type Question<Listed extends Offer> = {
  call: 'list' | 'list-rent'
  list: (signal: AbortSignal) => Promise<Listed[]>
  stopping: AbortSignal | undefined
}

async function askFor<Listed extends Offer>(
  ctx: Context,
  supplier: Supplier,
  { call, list, stopping }: Question<Listed>,
): Promise<Listed[] | null> {
  const ask = (signal: AbortSignal) => (stopping === undefined ? list(signal) : untilStopped(list, signal, stopping))
  const result = await askSupplier(ctx, { supplier, call: 'refresh', limitMs: LIST_TIMEOUT_MS }, ask).then(
    (offers) => ({ offers }),
    (error: unknown) => ({ error }),
  )
  if ('error' in result) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call, result: 'failed' })
    ctx.log.warn({ error: result.error, supplier: supplier.code, call }, 'a supplier did not list its numbers')
    return null
  }
  ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call, result: 'ok' })
  return result.offers
}

function* lastOfEach<Listed extends Offer>(
  offers: readonly Listed[],
  keyOf: (offer: Listed) => string,
): Yielding<Listed[]> {
  const byKey = new Map<string, Listed>()
  for (const [place, offer] of offers.entries()) {
    if (isSellable(offer)) byKey.set(keyOf(offer), offer)
    if (place % READ_AT_ONCE === READ_AT_ONCE - 1) yield
  }
  return [...byKey.values()].slice(0, MAX_OFFERS)
}

/** Rejects as soon as the server stops, even if the supplier ignores the abort signal. */
async function untilStopped<Listed>(
  list: (signal: AbortSignal) => Promise<Listed[]>,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<Listed[]> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('the service stops'))
  stopping.addEventListener('abort', stop)
  if (stopping.aborted) stop()
  try {
    return await Promise.race([list(AbortSignal.any([signal, stopping])), stopped])
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

/** Counts each number once, however many services it is offered for. */
function* countNumbers(offers: readonly Offer[]): Yielding<number> {
  const most = new Map<string, number>()
  for (const [at, { countryId, operator, stock }] of offers.entries()) {
    if (at % READ_AT_ONCE === READ_AT_ONCE - 1) yield
    const place = `${countryId} ${operator}`
    most.set(place, Math.max(most.get(place) ?? 0, stock))
  }
  return [...most.values()].reduce((sum, stock) => sum + stock, 0)
}

/** Offers that cannot be stored are dropped, so that they do not block other offers. */
function isSellable(offer: Offer): boolean {
  const { stock, costMicros, operator } = offer
  const counted = Number.isInteger(stock) && stock >= 0 && stock <= MAX_STOCK
  const priced = costMicros >= 0n && costMicros <= MAX_COST_MICROS
  return counted && priced && OPERATOR_PATTERN.test(operator) && operator !== ANY_OPERATOR
}

function isPeriod(hours: number): boolean {
  return RENT_PERIODS_HOURS.some((known) => known === hours)
}

/** Returns a unique key of an offer. The separator NUL occurs in no operator's name (isSellable). */
function keyOf({ serviceCode, countryId, operator }: Offer): string {
  return `${operator}\0${countryId} ${serviceCode}`
}

/** Refreshes a supplier's offers in the background, after its stock has changed. */
export function refreshOffersSoon(ctx: Context, supplierId: number): void {
  const supplier = suppliersOf(ctx).get(supplierId)
  if (supplier !== undefined) ctx.background.run('refresh offers', () => refreshOffers(ctx, supplier))
}
