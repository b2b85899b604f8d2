import { DAY, SECOND } from '#contract/time.ts'
import type { Supplier, SupplierContext, SupplierRow } from '#server/suppliers/supplier.ts'
import { createAccount, pairOf } from './account.ts'
import { readBalance } from './balance.ts'
import { buyNumber } from './buy.ts'
import { createCatalogue, retryMs } from './catalogue.ts'
import { askForAnother, endNumber } from './end.ts'
import { findPurchase } from './find.ts'
import { keepOpen } from './open-numbers.ts'
import { pollOfActivations } from './poll.ts'
import { createHints } from './push/hints.ts'
import { createPushDoor } from './push/push-door.ts'
import { takeMarker } from './queries/accounts.ts'
import { listUnfinished } from './queries/orders.ts'
import { createResellRents } from './rents/rent-supplier.ts'
import { startTask, type Task } from './task.ts'
import { tryAccount } from './try-account.ts'

/** No activation of the field is older. */
const OPEN_FOR_MS = 3 * DAY
const MARKER_BYTES = 4
/** The catalogue is filled at once where the other answers at once. */
const FIRST_PRICES_MS = 2 * SECOND

/** Numbers of any service that speaks handler_api (docs/suppliers/handler-api.md). Throws when the settings are wrong. */
export function createResellSupplier(ctx: SupplierContext, row: SupplierRow): Supplier {
  const account = createAccount(ctx, row)
  const { settings, link, funds } = account
  const catalogue = createCatalogue(account)
  const { id: supplierId, code } = row
  let poll = pollOfActivations(account)
  const rents = account.dialect.rents ? createResellRents(account) : null
  const { intakeKey } = settings
  let hints = createHints(account)
  let tasks: Task[] = []
  const task = (name: string, everyMs: number, work: () => Promise<void>): Task =>
    startTask({ everyMs, retryMs, work }, (error) => {
      if (error !== null) ctx.log.warn({ error, supplier: code, task: name }, 'a supplier did not answer')
    })
  return {
    id: supplierId,
    code,
    repeats: account.dialect.repeat !== null,
    ignoresExclusions: !account.dialect.exceptions,
    async start() {
      account.marker = await takeMarker(ctx.db, { supplierId, marker: ctx.random.bytes(MARKER_BYTES).toString('hex') })
      const since = new Date(ctx.clock.now().getTime() - OPEN_FOR_MS)
      link.listen()
      poll = pollOfActivations(account)
      account.wakePoll = poll.wake
      hints = createHints(account)
      for (const order of await listUnfinished(ctx.db, { supplierId, since })) {
        if (order.state === 'asking') account.lost.set(order.reference, pairOf(order))
        else keepOpen(account, order)
      }
      const prices = task('prices', settings.pricesSeconds * SECOND, catalogue.refresh)
      const rented = rents === null ? [] : [await rents.start(task)]
      tasks = [prices, ...rented, task('balance', settings.balanceSeconds * SECOND, () => readBalance(account))]
      await Promise.all([prices, ...rented].map((each) => each.firstWithin(FIRST_PRICES_MS)))
    },
    async stop() {
      link.silence()
      await Promise.all([poll.stop(), hints.stop(), rents?.stop(), ...tasks.map((each) => each.stop())])
    },
    link: link.state,
    balance: async () => {
      const known = funds.balance()
      return known === null ? null : { ...known, currency: settings.currency }
    },
    listOffers: async () => funds.affordable(catalogue.offers()),
    buy: (order, signal) => buyNumber(account, order, signal),
    find: (reference) => findPurchase(account, reference),
    askAgain: (number, signal) => askForAnother(account, number, signal),
    end: (number, ending, signal) => endNumber(account, number, ending, signal),
    ...(intakeKey !== undefined && {
      intake: createPushDoor(account, { key: intakeKey, hints: { note: (reference) => hints.note(reference) } }),
    }),
    ...(rents && { rent: rents.supplier }),
    test: () => tryAccount(account),
  }
}
