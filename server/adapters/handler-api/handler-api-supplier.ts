import { createWork } from '#server/adapters/shared/resold/background-work.ts'
import { takeMarker } from '#server/adapters/shared/resold/queries/accounts.ts'
import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { createAccount, pollSecondsOf } from './buy/account.ts'
import { readBalance } from './buy/balance.ts'
import { buyNumber } from './buy/buy.ts'
import { createFieldCatalogue } from './buy/catalogue.ts'
import { askForAnother, endNumber } from './buy/end.ts'
import { findNumber } from './buy/find.ts'
import { pollOpen } from './buy/poll-open.ts'
import { createHints } from './buy/push/hints.ts'
import { createPushIntake } from './buy/push/push-intake.ts'
import { createResellRents } from './rent/rent-supplier.ts'
import { tryAccount } from './try-account.ts'

const MARKER_BYTES = 4

/**
 * Buys numbers from any service with handler_api (docs/suppliers/handler-api.md). Throws when the settings are wrong.
 */
export function createResellSupplier(ctx: Context, row: SupplierRow): Supplier {
  const account = createAccount(ctx, row)
  const { settings, dialect, link, funds } = account
  const catalogue = createFieldCatalogue(account)
  const { id: supplierId, code } = row
  const rents = dialect.rents === null ? null : createResellRents(account, dialect.rents)
  const { intakeKey } = settings
  let hints = createHints(account)
  const work = createWork(account, {
    pollSeconds: pollSecondsOf(account),
    look: (stopping) => pollOpen(account, stopping),
    prices: { everySeconds: settings.pricesSeconds, work: catalogue.refresh },
    balance: { everySeconds: settings.balanceSeconds, work: () => readBalance(account) },
    beside: rents,
  })
  return {
    id: supplierId,
    code,
    currency: settings.currency,
    repeats: dialect.repeat !== null,
    ignoresExclusions: !dialect.exceptions,
    async start(role) {
      account.marker = await takeMarker(ctx.db, { supplierId, marker: ctx.random.bytes(MARKER_BYTES).toString('hex') })
      hints = createHints(account)
      await work.start(role)
    },
    async stop() {
      await Promise.all([work.stop(), hints.stop()])
    },
    link: link.state,
    balance: async () => {
      const known = funds.balance()
      return known === null ? null : { ...known, currency: settings.currency }
    },
    listOffers: async () => funds.affordable(catalogue.offers()),
    buy: (order, signal) => buyNumber(account, order, signal),
    find: (reference) => findNumber(account, reference),
    askAgain: (number, signal) => askForAnother(account, number, signal),
    end: (number, ending, signal) => endNumber(account, number, ending, signal),
    ...(intakeKey !== undefined && {
      intake: createPushIntake(account, { key: intakeKey, hints: { note: (reference) => hints.note(reference) } }),
    }),
    ...(rents && { rent: rents.supplier }),
    test: () => tryAccount(account),
  }
}
