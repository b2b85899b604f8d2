/** Measures a refresh of many suppliers' offers, and a price quote among many suppliers. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import { listCountryRows, listServiceRows, replaceOffers } from '#server/core/catalog/offers/queries.ts'
import { saveChanges } from '#server/core/catalog/offers/save-queries.ts'
import { quote } from '#server/core/catalog/prices/quote.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { printFigures, printRatio, quantile } from './parts/rounds.ts'
import { runBenchmark } from './parts/run-benchmark.ts'
import { openHouse, openService } from './parts/temporary-house.ts'

const SUPPLIERS = 200
const PAIRS = 10_000
const FIRST_ID = 1_001
/** The number of suppliers whose rows are really stored. The rows of each further supplier would cost the same. */
const STORED = 20
const CHANGED_EVERY = 100
const QUOTES = 100_000
const ROUNDS = 3
const MOST_CHANGED = 0.1
const MOST_UNCHANGED = 0.02
const MOST_QUOTE = 2
const LIMIT_SECONDS = 900

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

type Facts = Parameters<CatalogIndex['load']>[0]

await runBenchmark(
  async (stack) => {
    const { db } = await openService(stack, await openHouse(stack), { name: 'refresh' })
    const facts = await readFacts(db)
    const pairs = pairsOf(facts)
    const ids = await addSuppliers(db)
    const index = new CatalogIndex()
    index.load(facts)
    const before = heapBytes()
    let lists = ids.map((id) => listOf(pairs, id, 0))
    const firstMs = await timeAll(db, { index, ids, lists, isFirst: true })
    console.log(`bytes per offer: ${Math.round((heapBytes() - before) / (SUPPLIERS * PAIRS))}`)
    printFigures('first load of all', [firstMs], 'ms')
    const changedMs: number[] = []
    const unchangedMs: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      lists = lists.map((list, place) => changeSome(list, round, place))
      changedMs.push(await timeAll(db, { index, ids, lists, isFirst: false }))
      // Offer lists are copied, so that the catalogue index cannot recognise a list as the same object and skip it.
      const copies = lists.map((list) => [...list])
      unchangedMs.push(await timeAll(db, { index, ids, lists: copies, isFirst: false }))
    }
    printFigures('1 % changed', changedMs, 'ms')
    printRatio(
      '1 % changed : first load',
      changedMs.map((ms) => ms / firstMs),
      { atMost: MOST_CHANGED },
    )
    printFigures('nothing changed', unchangedMs, 'ms')
    printRatio(
      'nothing changed : first load',
      unchangedMs.map((ms) => ms / firstMs),
      { atMost: MOST_UNCHANGED },
    )
    compareQuotes(facts, pairs, index)
  },
  { limitSeconds: LIMIT_SECONDS },
)

function heapBytes(): number {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

async function readFacts(db: Pool): Promise<Facts> {
  const [services, countries] = [await listServiceRows(db), await listCountryRows(db)]
  const activeSupplierIds = Array.from({ length: SUPPLIERS }, (_, place) => FIRST_ID + place)
  const terms = { rates: { rubMicrosPerUsd: 90_000_000n }, rounding: { rub: 'exact', usd: 'exact' } } as const
  return { services, countries, rules: [], rulesUntil: null, terms, outcomes: [], activeSupplierIds }
}

type PairName = { serviceCode: string; countryId: number }

function pairsOf({ services, countries }: Facts): PairName[] {
  const all = services.flatMap(({ code }) => countries.map(({ id }) => ({ serviceCode: code, countryId: id })))
  const step = Math.floor(all.length / PAIRS)
  return Array.from({ length: PAIRS }, (_, place) => all[place * step]).filter((pair) => pair !== undefined)
}

async function addSuppliers(db: Pool): Promise<number[]> {
  const ids = Array.from({ length: SUPPLIERS }, (_, place) => FIRST_ID + place)
  await db.query({
    text: `INSERT INTO suppliers (id, code, kind, created_at, removed_at) OVERRIDING SYSTEM VALUE
      SELECT id, 'bench-' || id, 'bench', now(), now() FROM unnest($1::integer[]) AS id`,
    values: [ids],
  })
  return ids
}

function listOf(pairs: readonly PairName[], id: number, round: number): Offer[] {
  return pairs.map((pair, place) => ({
    ...pair,
    operator: 'mixed',
    currency: 'rub',
    stock: 100 + round,
    costMicros: 10_000_000n + BigInt((id * 7_919 + place * 104_729) % 5_000_000),
  }))
}

function changeSome(list: readonly Offer[], round: number, place: number): Offer[] {
  return list.map((offer, at) =>
    (at + place + round) % CHANGED_EVERY === 0 ? { ...offer, stock: 100 + round } : offer,
  )
}

type Work = { index: CatalogIndex; ids: readonly number[]; lists: readonly Offer[][]; isFirst: boolean }

/** Returns the time of a refresh in ms. The storing time of STORED suppliers is scaled up to all suppliers. */
async function timeAll(db: Pool, { index, ids, lists, isFirst }: Work): Promise<number> {
  let storedMs = 0
  const beganMs = performance.now()
  for (const [place, supplierId] of ids.entries()) {
    const offers = lists[place] ?? []
    const changes = index.replaceOffers(supplierId, offers)
    if (place >= STORED) continue
    const saveMs = performance.now()
    const now = new Date()
    if (isFirst) await replaceOffers(db, { supplierId, offers, now })
    else await saveChanges(db, { supplierId, ...changes, now })
    storedMs += performance.now() - saveMs
  }
  index.computeStale()
  return performance.now() - beganMs + storedMs * (SUPPLIERS / STORED - 1)
}

function compareQuotes(facts: Facts, pairs: readonly PairName[], many: CatalogIndex): void {
  const one = new CatalogIndex()
  one.load(facts)
  one.setOffers(FIRST_ID, listOf(pairs, FIRST_ID, 0))
  one.computeStale()
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ofOne, ofMany] = [p99OfQuotes(one, pairs), p99OfQuotes(many, pairs)]
    ratios.push(ofMany / ofOne)
  }
  printRatio(`a quote's p99 among ${SUPPLIERS} suppliers : one`, ratios, { atMost: MOST_QUOTE })
}

function p99OfQuotes(index: CatalogIndex, pairs: readonly PairName[]): number {
  const times: number[] = []
  for (let place = 0; place < QUOTES; place += 1) {
    const pair = pairs[(place * 7_919) % pairs.length]
    if (pair === undefined) continue
    const beganMs = performance.now()
    quote(index, { ...pair, currency: 'rub', operator: null })
    times.push(performance.now() - beganMs)
  }
  return quantile(times, 0.99)
}
