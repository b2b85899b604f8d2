import { SECOND } from '#contract/time.ts'
import type { Beside } from '#server/adapters/shared/resold/background-work.ts'
import { createPoll, type Poll } from '#server/adapters/shared/resold/poll.ts'
import { resumeSeconds } from '#server/adapters/shared/resold/resume-orders.ts'
import type { Task } from '#server/adapters/shared/resold/task.ts'
import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import type { RentOffer, RentSupplier } from '#server/core/suppliers/supplier.ts'
import { type Account, pollSecondsOf } from '../buy/account.ts'
import { readFieldNames } from '../buy/catalogue.ts'
import { endRental } from './deliver-rents.ts'
import { extendRental, findExtension } from './extend.ts'
import { createListedWay } from './listed/listed-way.ts'
import { createNamedWay } from './named/named-way.ts'
import { listOpenRents } from './queries.ts'
import { findRental, rentNumber } from './rent.ts'
import { keepRented, type Rents, type RentWay } from './rents.ts'

export type ResellRents = Beside & { readonly supplier: RentSupplier }

export function createResellRents(account: Account, by: 'named' | 'listed'): ResellRents {
  const { settings, funds } = account
  const way = by === 'named' ? createNamedWay(account) : createListedWay(account)
  const catalogue = createRentCatalogue(account, way)
  const rents: Rents = { account, way, open: new Map(), asking: new Set(), wakePoll: () => undefined }
  const pauseMs = pollSecondsOf(account) * SECOND
  let poll: Poll | null = null
  let orders: Task | null = null
  return {
    supplier: {
      listRentOffers: async () => funds.affordable(catalogue.offers()),
      rent: (order, signal) => rentNumber(rents, order, signal),
      findRental: (reference) => findRental(rents, reference),
      extendRental: (extension, signal) => extendRental(rents, extension, signal),
      findExtension: (sought) => findExtension(rents, sought),
      endRental: ({ reference }, signal) => endRental(rents, reference, signal),
    },
    async start(begin, { receives }) {
      poll = createPoll(account, { pauseMs, open: rents.open, look: (stopping) => way.look(rents, stopping) })
      rents.wakePoll = receives === false ? () => undefined : poll.wake
      rents.open.clear()
      await resumeRents(rents)
      orders = begin('open rentals', { everySeconds: resumeSeconds(settings), work: () => resumeRents(rents) })
      return begin('prices of rentals', { everySeconds: settings.pricesSeconds, work: catalogue.refresh })
    },
    async stop() {
      await Promise.all([poll?.stop(), orders?.stop()])
    },
  }
}

type RentCatalogue = {
  /** Returns the rental offers of the last readable reply. Throws before the first readable reply. */
  offers(): RentOffer[]
  refresh(): Promise<void>
}

function createRentCatalogue(account: Account, { readOffers }: Pick<RentWay, 'readOffers'>): RentCatalogue {
  const { ctx, supplierId } = account
  let offers: RentOffer[] | null = null
  let seen = ''
  return {
    offers() {
      if (offers === null) throw new Error('it has not told what it rents out yet')
      return offers
    },
    async refresh() {
      const read = await readOffers(await readFieldNames(account))
      const text = read.map((offer) => Object.values(offer).join(' ')).join('\n')
      const isFirst = offers === null
      if (isFirst || text !== seen) offers = read
      seen = text
      if (isFirst) refreshOffersSoon(ctx, supplierId)
    },
  }
}

/** Loads open rentals. A supplier object replaced by new settings may still have changed a rental's end and id. */
async function resumeRents(rents: Rents): Promise<void> {
  const { ctx, supplierId } = rents.account
  // A rental whose id changed in memory during this query is newer than its row.
  const idsBefore = new Map([...rents.open.values()].map(({ reference, rentId }) => [reference, rentId]))
  for (const row of await listOpenRents(ctx.db, supplierId)) {
    const { reference, rentId, expiresAt } = row
    const idBefore = idsBefore.get(reference)
    if (idBefore === undefined) keepRented(rents, row)
    const rent = rents.open.get(reference)
    if (rent === undefined) continue
    if (rentId !== null && rent.rentId === idBefore) rent.rentId = rentId
    if (rent.expiresAt < expiresAt) rent.expiresAt = expiresAt
  }
}
