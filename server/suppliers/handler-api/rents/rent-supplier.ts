import { SECOND } from '#contract/time.ts'
import type { RentSupplier } from '#server/suppliers/supplier.ts'
import type { Account } from '../account.ts'
import { createPoll, type Poll } from '../poll.ts'
import type { Task } from '../task.ts'
import { extendRental, findExtension } from './extend.ts'
import { endRental, lookAtRents } from './look.ts'
import { listOpenRents } from './queries.ts'
import { findRental, rentNumber } from './rent.ts'
import { createRentCatalogue } from './rent-catalogue.ts'
import { keepRented, type Rents } from './rents.ts'

export type ResellRents = {
  readonly supplier: RentSupplier
  /** `begin` starts a task in the manner of the others. */
  start(begin: (name: string, everyMs: number, work: () => Promise<void>) => Task): Promise<Task>
  stop(): Promise<void>
}

/** Numbers rented of a service whose orders are found by our names for them. */
export function createResellRents(account: Account): ResellRents {
  const { ctx, supplierId, settings, funds } = account
  const catalogue = createRentCatalogue(account)
  const rents: Rents = { account, open: new Map(), asking: new Set(), wakePoll: () => undefined }
  let poll: Poll | null = null
  return {
    supplier: {
      listRentOffers: async () => funds.affordable(catalogue.offers()),
      rent: (order, signal) => rentNumber(rents, order, signal),
      findRental: (reference) => findRental(rents, reference),
      extendRental: (extension, signal) => extendRental(rents, extension, signal),
      findExtension: (sought) => findExtension(rents, sought),
      endRental: ({ reference }, signal) => endRental(rents, reference, signal),
    },
    async start(begin) {
      poll = createPoll(account, { open: rents.open, look: (stopping) => lookAtRents(rents, stopping) })
      rents.wakePoll = poll.wake
      rents.open.clear()
      for (const row of await listOpenRents(ctx.db, supplierId)) keepRented(rents, row)
      return begin('prices of rentals', settings.pricesSeconds * SECOND, catalogue.refresh)
    },
    async stop() {
      await poll?.stop()
    },
  }
}
