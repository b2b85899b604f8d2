import type { RentSupplier, Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { buyNumber, createRange, findPurchase, listNumberOffers, saleInStatement } from './leases.ts'
import { endLease, selectLease } from './queries/leases.ts'
import { endRentLease } from './queries/rent-leases.ts'
import { extendRented, findExtended, listRentedOut, type RentRange, rentNumber } from './rent.ts'
import type { OwnNumbers } from './settings.ts'

/** The selling functions of a supplier with our own numbers. Each kind of supplier receives messages in its own way. */
export type NumberSales = Pick<
  Supplier,
  'listOffers' | 'buy' | 'sellInStatement' | 'find' | 'askAgain' | 'end' | 'rent' | 'repeats'
>

export function sellOwnNumbers(ctx: Context, supplierId: number, settings: OwnNumbers): NumberSales {
  const range = createRange(ctx, supplierId, settings)
  return {
    repeats: true,
    listOffers: () => listNumberOffers(range),
    buy: (order) => buyNumber(range, order),
    sellInStatement: (order) => saleInStatement(range, order),
    find: (reference) => findPurchase(range, reference),
    async askAgain({ reference }) {
      const lease = await selectLease(ctx.db, supplierId, reference)
      return lease?.state === 'leased'
    },
    end: ({ reference }, ending) =>
      endLease(ctx.db, { supplierId, reference, ending, silentSales: settings.silentSales, now: ctx.clock.now() }),
    // Existing rentals must still end when the settings no longer offer rentals.
    rent: createRenting({ ctx, supplierId, settings, scanHints: new Map() }),
  }
}

function createRenting(range: RentRange): RentSupplier {
  const { ctx, supplierId } = range
  return {
    listRentOffers: () => listRentedOut(range),
    rent: (order) => rentNumber(range, order),
    findRental: (reference) => findPurchase(range, reference),
    extendRental: (extension) => extendRented(range, extension),
    findExtension: (extension) => findExtended(range, extension),
    endRental: ({ reference, unsold = false }) =>
      endRentLease(ctx.db, { supplierId, reference, unsold, now: ctx.clock.now() }),
  }
}
