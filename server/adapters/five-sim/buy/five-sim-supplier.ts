import { createWork } from '#server/adapters/shared/resold/background-work.ts'
import { takeMarker } from '#server/adapters/shared/resold/queries/accounts.ts'
import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { createAccount } from './account.ts'
import { buyNumber } from './buy.ts'
import { createFiveSimCatalogue } from './catalogue.ts'
import { askForAnother, endNumber } from './end.ts'
import { findNumber } from './find.ts'
import { pollOpen } from './poll-open.ts'
import { readProfile } from './profile.ts'
import { tryAccount } from './try-account.ts'

/** Buys numbers from 5sim by its API v1 (docs/suppliers/five-sim.md). Throws when the settings are wrong. */
export function createFiveSimSupplier(ctx: Context, row: SupplierRow): Supplier {
  const account = createAccount(ctx, row)
  const { settings, link, funds } = account
  const catalogue = createFiveSimCatalogue(account)
  const { id: supplierId, code } = row
  const { pollSeconds, pricesSeconds, balanceSeconds } = settings
  const work = createWork(account, {
    pollSeconds,
    look: (stopping) => pollOpen(account, stopping),
    prices: { everySeconds: pricesSeconds, work: catalogue.refresh },
    balance: { everySeconds: balanceSeconds, work: () => readProfile(account) },
  })
  return {
    id: supplierId,
    code,
    currency: settings.currency,
    repeats: settings.reuse,
    ignoresExclusions: true,
    async start(role) {
      // The stored prefix of our order names is empty, because 5sim stores no order names of ours.
      await takeMarker(ctx.db, { supplierId, marker: '' })
      await work.start(role)
    },
    stop: work.stop,
    link: link.state,
    balance: async () => {
      const known = funds.balance()
      return known === null ? null : { ...known, currency: settings.currency }
    },
    listOffers: async () => (account.ratingHundredths === 0 ? [] : funds.affordable(catalogue.offers())),
    buy: (order, signal) => buyNumber(account, order, signal),
    find: (reference) => findNumber(account, reference),
    askAgain: async (number) => askForAnother(account, number),
    end: (number, ending, signal) => endNumber(account, number, ending, signal),
    test: () => tryAccount(account),
  }
}
