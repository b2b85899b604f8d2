import { SECOND } from '#contract/time.ts'
import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { createBank } from './bank.ts'
import { buyNumber, findPurchase } from './buy.ts'
import { endNumber } from './end.ts'
import { askServices, listStock } from './list-stock.ts'
import { probeBank } from './probe.ts'
import { takePush } from './take-push.ts'

/** Buys numbers from SIM banks (docs/api/sim-bank.md). Throws an error that names every wrong setting. */
export function createSimBankSupplier(ctx: Context, row: SupplierRow): Supplier {
  const bank = createBank(ctx, row)
  const { id, code } = row
  let timer: NodeJS.Timeout | undefined
  // The stock of a bank that is down is not refreshed, so this timer checks whether the bank answers again.
  const lookAgain = () => {
    const { up, unproven } = bank.link.state()
    if (up && unproven !== true) return schedule()
    const asked = askServices(bank, bank.stopping.signal)
    asked.then(schedule, schedule)
  }
  const schedule = () => {
    if (bank.stopping.signal.aborted) return
    timer = setTimeout(lookAgain, bank.settings.retrySeconds * SECOND).unref()
  }
  return {
    id,
    code,
    currency: bank.settings.currency,
    async start() {
      bank.stopping = new AbortController()
      schedule()
    },
    async stop() {
      clearTimeout(timer)
      bank.stopping.abort(new Error('the supplier stops'))
      await Promise.allSettled(bank.underWay.values())
    },
    link: bank.link.state,
    listOffers: (signal) => listStock(bank, signal),
    buy: (order, signal) => buyNumber(bank, order, signal),
    find: (reference) => findPurchase(bank, reference),
    // From GET_NUMBER on, the bank pushes every message until the end of the activation.
    askAgain: async () => true,
    end: (number, ending, signal) => endNumber(bank, number, ending, signal),
    intake: takePush(bank),
    test: () => probeBank(bank),
  }
}
