import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { type Account, orderNameOf } from '#server/adapters/handler-api/buy/account.ts'
import { readPrices } from '#server/adapters/handler-api/wire/read-prices.ts'
import { type RentedNumber, readRentOrder } from '#server/adapters/handler-api/wire/read-rent.ts'
import type { Names } from '#server/adapters/shared/resold/names.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { MOST_LIST_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import type { ResoldExtension, ResoldRent } from '../queries.ts'
import { CLOCKS_APART_MS } from '../rent.ts'
import type { Rents, RentWay, Sought } from '../rents.ts'
import { pollNamed, readByName } from './poll-named.ts'

/** The time for which a rental request may still be in flight to the supplier. */
const ON_ITS_WAY_MS = 5 * SECOND

/** Rents from another installation of Ringpost, which finds orders and extensions by our names. */
export function createNamedWay(account: Account): RentWay {
  return {
    readOffers: (names) => readOffers(account, names),
    inQueue: (_wisher, work) => work(),
    readyRent: async (_rents, { order }) => ({ costMicros: order.maxCostMicros, strangers: [] }),
    parametersOf: ({ name, maxCostMicros }) => ({ maxPrice: toDecimal(maxCostMicros), orderId: name }),
    findRented,
    readyExtension: async (_rents, { maxCostMicros }) => ({ costMicros: maxCostMicros, historyBefore: null }),
    // The reply tells the cost of the whole rental, not that of the extension.
    costOfGranted: () => null,
    findExtended,
    look: pollNamed,
    readBeforeEnd: async () => undefined,
    async readAfterEnd(rents, rent, signal) {
      await readByName(rents, rent, signal)
    },
  }
}

async function readOffers(account: Account, names: Names): Promise<RentOffer[]> {
  const read: RentOffer[] = []
  for (const hours of RENT_PERIODS_HOURS) read.push(...(await readPeriod(account, names, hours)))
  return read
}

async function readPeriod({ ask, settings }: Account, names: Names, hours: number): Promise<RentOffer[]> {
  const parameters = { rent_time: String(hours) }
  const reply = await ask({ action: 'getRentPrices', parameters, mostBytes: MOST_LIST_BYTES })
  // A service without rentals may still sell activations, so this is no failure.
  if (reply.word === 'BAD_ACTION') return []
  const read =
    reply.word === null && isRecord(reply.json) ? await runYielding(readPrices(reply.json.values, 'cost')) : null
  if (read === null) throw new Error(`what it rents out cannot be read: ${reply.word ?? `status ${reply.status}`}`)
  const { operator, currency } = settings
  return read.pairs.flatMap(({ country, service, costMicros, stock }) => {
    const serviceCode = names.ours('service', service)
    const countryId = names.ours('country', country)
    if (serviceCode == null || countryId == null) return []
    return [{ serviceCode, countryId: Number(countryId), operator, hours, costMicros, currency, stock }]
  })
}

async function findRented({ account }: Rents, { reference, askedAt }: ResoldRent): Promise<RentedNumber | null> {
  const reply = await account.ask({ action: 'getRentOrder', parameters: { orderId: orderNameOf(account, reference) } })
  const found = readRentOrder(reply)
  if (found === null) throw new Error(`nothing was told of ${reference}: ${reply.word ?? `status ${reply.status}`}`)
  if (found.order === 'pending') throw new Error(`${reference} is under way at the supplier`)
  if (found.order !== 'none') {
    const startedMs = found.startedAt?.getTime() ?? Number.POSITIVE_INFINITY
    // The rental is older than our request: our restored database reused its name, so nothing was rented.
    const isEarlier = startedMs < askedAt.getTime() - CLOCKS_APART_MS
    return isEarlier ? null : found.rented
  }
  if (account.ctx.clock.now().getTime() - askedAt.getTime() < ON_ITS_WAY_MS) {
    throw new Error(`${reference} may still be on its way`)
  }
  return null
}

async function findExtended(
  { account }: Rents,
  { extensionReference }: Sought,
  row: ResoldExtension,
): Promise<{ costMicros: bigint } | null> {
  const parameters = { orderId: orderNameOf(account, extensionReference) }
  const reply = await account.ask({ action: 'getRentExtension', parameters })
  const answer = isRecord(reply.json) ? reply.json : {}
  switch (answer.order) {
    case 'extended':
      return { costMicros: readAmount(answer.cost) ?? row.costMicros }
    case 'none':
      return null
    default:
      throw new Error(`${extensionReference} is not settled there: ${reply.word ?? `status ${reply.status}`}`)
  }
}
