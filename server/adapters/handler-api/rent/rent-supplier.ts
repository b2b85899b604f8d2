import { SECOND } from '#contract/time.ts'
import type { Beside } from '#server/adapters/shared/resold/background-work.ts'
import { createPoll, type Poll } from '#server/adapters/shared/resold/poll.ts'
import { resumeSeconds } from '#server/adapters/shared/resold/resume-orders.ts'
import type { Task } from '#server/adapters/shared/resold/task.ts'
import type { RentSupplier } from '#server/core/suppliers/supplier.ts'
import { type Account, pollSecondsOf } from '../buy/account.ts'
import { endRental } from './deliver-rents.ts'
import { extendRental, findExtension } from './extend.ts'
import { createListedWay } from './listed/listed-way.ts'
import { createNamedWay } from './named/named-way.ts'
import { findRental, rentNumber } from './rent.ts'
import { createRentCatalogue } from './rent-catalogue.ts'
import type { Rents } from './rents.ts'
import { resumeRents } from './resume-rents.ts'

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
    async start(begin) {
      poll = createPoll(account, { pauseMs, open: rents.open, look: (stopping) => way.look(rents, stopping) })
      rents.wakePoll = poll.wake
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
