import type { HeldNumber, RentSupplier, Supplier, SupplierContext, SupplierRow } from '#server/suppliers/supplier.ts'
import { startClientLink } from './client-link.ts'
import type { Inbox } from './inbox.ts'
import { buyNumber, createRange, findPurchase, listNumberOffers } from './leases.ts'
import type { Link, LinkOptions } from './link.ts'
import { watchLink } from './link-watch.ts'
import { createLostAnswers } from './lost-answers.ts'
import { endLease, selectLease } from './queries/leases.ts'
import { endRentLease } from './queries/rent-leases.ts'
import { extendRented, findExtended, listRentedOut, type RentRange, rentNumber } from './rent.ts'
import { startServerLink } from './server-link.ts'
import { parseSmppSettings, type SmppSettings } from './settings.ts'
import { startSweeping } from './sweep-messages.ts'

export type SmppSupplier = Supplier & { readonly port: number | null }

/** SMPP 3.4, specified in docs/api/smpp.md. Throws when the row's settings are wrong, naming each. */
export function createSmppSupplier(ctx: SupplierContext, row: SupplierRow): SmppSupplier {
  const settings = parseSmppSettings(row.code, row.settings)
  const { id: supplierId, code } = row
  const { defaultAlphabet, partsWaitSeconds } = settings
  const lostAnswers = createLostAnswers(ctx.clock)
  const inbox: Inbox = { ctx, supplierId, defaultAlphabet, partsWaitSeconds, lostAnswers }
  const watch = watchLink(ctx, supplierId)
  const range = createRange(ctx, supplierId, settings)
  let link: { stop(): Promise<void>; port: number | null } | null = null
  return {
    id: supplierId,
    code,
    get port() {
      return link?.port ?? null
    },
    async start() {
      link ??= await startReceiving({ inbox, watch, code }, settings)
    },
    async stop() {
      const stopping = link
      link = null
      watch.silence()
      await stopping?.stop()
    },
    link: () => watch.state(),
    listOffers: () => listNumberOffers(range),
    buy: (order) => buyNumber(range, order),
    find: (reference) => findPurchase(range, reference),
    askAgain: (number) => isLeased(ctx, supplierId, number),
    end: ({ reference }, ending) =>
      endLease(ctx.db, { supplierId, reference, ending, silentSales: settings.silentSales, now: ctx.clock.now() }),
    // Earlier rentals must still end when nothing is rented out any more.
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

type Receiving = Omit<LinkOptions<SmppSettings>, 'settings'>

async function startReceiving(options: Receiving, settings: SmppSettings) {
  const link = await startLink(options, settings)
  const sweeping = startSweeping(options.inbox)
  return {
    port: link.port,
    // The link stops first; what its connections leave is swept at the next start.
    stop: async () => {
      await link.stop()
      await sweeping.stop()
    },
  }
}

async function startLink(options: Receiving, settings: SmppSettings): Promise<Link & { port: number | null }> {
  switch (settings.mode) {
    case 'client':
      return { ...startClientLink({ ...options, settings }), port: null }
    case 'server':
      return startServerLink({ ...options, settings })
    default:
      return settings satisfies never
  }
}

async function isLeased(ctx: SupplierContext, supplierId: number, { reference }: HeldNumber): Promise<boolean> {
  const lease = await selectLease(ctx.db, supplierId, reference)
  return lease?.state === 'leased'
}
