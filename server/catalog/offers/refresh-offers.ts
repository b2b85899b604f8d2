import { ANY_OPERATOR } from '#contract/catalog.ts'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { MICROS_PER_UNIT } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { SECOND } from '#contract/time.ts'
import { askSupplier } from '#server/catalog/health/ask-supplier.ts'
import type { Context } from '#server/context.ts'
import { type InPieces, inTurns } from '#server/jobs/in-turns.ts'
import type { Offer, RentOffer, RentSupplier, Supplier } from '#server/suppliers/supplier.ts'
import { listOfferRows, replaceOffers } from './queries.ts'
import { listRentOfferRows, replaceRentOffers } from './rent-queries.ts'
import { saveChanges } from './save-queries.ts'

/** On time-out the last known stock stands. */
const LIST_TIMEOUT_MS = 20 * SECOND
/** More than a large supplier's full stock; the rest is dropped. */
const MAX_OFFERS = 500_000
/** Between two pauses. */
const READ_AT_ONCE = 5_000
/** Larger values would overflow the columns. */
const MAX_STOCK = 1_000_000_000
const MAX_COST_MICROS = 1_000_000n * MICROS_PER_UNIT
/** The length a purchase may name, without NUL, which PostgreSQL cannot store. */
const OPERATOR_PATTERN = /^[^\0]{1,60}$/

/** At start the last known offers give pages prices before any supplier answers. */
export async function loadOffers(ctx: Context, supplierId: number): Promise<void> {
  await inTurns(ctx.catalog.replaceInPieces(supplierId, await listOfferRows(ctx.db, supplierId)))
  ctx.rentCatalog.setOffers(supplierId, await listRentOfferRows(ctx.db, supplierId))
}

/** A supplier whose link is down sells nothing, because its codes would not arrive. Once `stopping`, no answer is waited for. */
export async function refreshOffers(ctx: Context, supplier: Supplier, stopping?: AbortSignal): Promise<void> {
  const { id: supplierId, rent } = supplier
  if (isDown(supplier)) return hideOffers(ctx, supplier)
  await refreshActivated(ctx, supplier, stopping)
  // The link may have gone while the supplier was asked.
  if (isDown(supplier)) return hideOffers(ctx, supplier)
  const rentOffers = rent === undefined ? [] : await askForRent(ctx, { supplier, rent, stopping })
  if (rentOffers !== null && ctx.rentCatalog.setOffers(supplierId, rentOffers)) {
    await replaceRentOffers(ctx.db, { supplierId, offers: rentOffers, now: ctx.clock.now() })
  }
  if (isDown(supplier)) hideOffers(ctx, supplier)
}

/** What each supplier listed last, and what the database has of it. */
const listed = new WeakMap<Supplier, { list: readonly Offer[]; isSaved: boolean }>()

async function refreshActivated(ctx: Context, supplier: Supplier, stopping?: AbortSignal): Promise<void> {
  const { id: supplierId } = supplier
  const before = listed.get(supplier)
  let given: readonly Offer[] = []
  const offers = await askFor(ctx, supplier, {
    call: 'list',
    list: async (signal) => {
      given = await supplier.listOffers(signal)
      // The very same list again: nothing is read, compared or stored.
      if (before?.isSaved === true && before.list === given) return []
      // A whole number is rented, never activated.
      return given.filter(({ serviceCode }) => serviceCode !== FULL_NUMBER)
    },
    keyOf,
    stopping,
  })
  if (offers === null || (before?.isSaved === true && before.list === given)) return
  ctx.health.noteStock(supplierId, await inTurns(countNumbers(offers)))
  if (isDown(supplier)) return
  // Another list, or none, may have been taken since.
  const replaced = listed.get(supplier)
  const mark = { list: given, isSaved: false }
  listed.set(supplier, mark)
  const changes = await inTurns(ctx.catalog.replaceInPieces(supplierId, offers))
  // They were hidden, or listed anew, meanwhile.
  if (changes === null) return
  const now = ctx.clock.now()
  if (replaced?.isSaved === true) await saveChanges(ctx.db, { supplierId, ...changes, now })
  else if (replaced !== undefined || changes.pairs.length > 0) await replaceOffers(ctx.db, { supplierId, offers, now })
  // Unless the offers were hidden, or listed anew, meanwhile: another mark stands then.
  mark.isSaved = true
}

const isDown = (supplier: Supplier): boolean => supplier.link?.().up === false

/** The database keeps the last known stock; a restored link asks anew. */
function hideOffers(ctx: Context, supplier: Supplier): void {
  const { id: supplierId } = supplier
  listed.set(supplier, { list: [], isSaved: false })
  ctx.catalog.setOffers(supplierId, [])
  ctx.rentCatalog.setOffers(supplierId, [])
}

type RentQuestion = { supplier: Supplier; rent: RentSupplier; stopping: AbortSignal | undefined }

async function askForRent(ctx: Context, { supplier, rent, stopping }: RentQuestion): Promise<RentOffer[] | null> {
  return askFor(ctx, supplier, {
    call: 'list-rent',
    // A length that nobody can choose is dropped.
    list: async (signal) => (await rent.listRentOffers(signal)).filter(({ hours }) => isPeriod(hours)),
    keyOf: (offer) => `${offer.hours} ${keyOf(offer)}`,
    stopping,
  })
}

type Question<Listed extends Offer> = {
  call: 'list' | 'list-rent'
  list: (signal: AbortSignal) => Promise<Listed[]>
  keyOf: (offer: Listed) => string
  stopping: AbortSignal | undefined
}

/** Null when the supplier did not answer. */
async function askFor<Listed extends Offer>(
  ctx: Context,
  supplier: Supplier,
  { call, list, keyOf, stopping }: Question<Listed>,
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
  // Of duplicate offers the last counts.
  return inTurns(lastOfEach(result.offers, keyOf))
}

function* lastOfEach<Listed extends Offer>(
  offers: readonly Listed[],
  keyOf: (offer: Listed) => string,
): InPieces<Listed[]> {
  const byKey = new Map<string, Listed>()
  for (const [place, offer] of offers.entries()) {
    if (isSellable(offer)) byKey.set(keyOf(offer), offer)
    if (place % READ_AT_ONCE === READ_AT_ONCE - 1) yield
  }
  return [...byKey.values()].slice(0, MAX_OFFERS)
}

/** Also of a list that heeds no signal. */
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

/** Each once, however many services it is offered for. */
function* countNumbers(offers: readonly Offer[]): InPieces<number> {
  const most = new Map<string, number>()
  for (const [at, { countryId, operator, stock }] of offers.entries()) {
    if (at % READ_AT_ONCE === READ_AT_ONCE - 1) yield
    const place = `${countryId} ${operator}`
    most.set(place, Math.max(most.get(place) ?? 0, stock))
  }
  return [...most.values()].reduce((sum, stock) => sum + stock, 0)
}

/** One offer that cannot be stored must not block the others. */
function isSellable(offer: Offer): boolean {
  const { stock, costMicros, operator } = offer
  const counted = Number.isInteger(stock) && stock >= 0 && stock <= MAX_STOCK
  const priced = costMicros >= 0n && costMicros <= MAX_COST_MICROS
  return counted && priced && OPERATOR_PATTERN.test(operator) && operator !== ANY_OPERATOR
}

function isPeriod(hours: number): boolean {
  return RENT_PERIODS_HOURS.some((known) => known === hours)
}

function keyOf(offer: Offer): string {
  return JSON.stringify([offer.serviceCode, offer.countryId, offer.operator])
}
