import { refreshOffersSoon } from '#server/core/catalog/offers/refresh-offers.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import type { Account } from '../buy/account.ts'
import { readFieldNames } from '../buy/catalogue.ts'
import type { RentWay } from './rents.ts'

export type RentCatalogue = {
  /** Returns the last readable list. Throws before the first one. */
  offers(): RentOffer[]
  refresh(): Promise<void>
}

/** An unreadable reply leaves the list unchanged. */
export function createRentCatalogue(account: Account, { readOffers }: Pick<RentWay, 'readOffers'>): RentCatalogue {
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
