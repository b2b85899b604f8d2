import { DAY, MINUTE } from '#contract/time.ts'
import { findLastRequests } from '#server/adapters/shared/incoming/last-request-queries.ts'
import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import { type Bank, slugsOf } from './bank.ts'
import { askServices, readLines, toOffers } from './list-stock.ts'
import { countLost } from './queries/orders.ts'

/** Tests a bank without buying. Requests its stock, and checks the pushes received within a day. */
export async function probeBank(bank: Bank, signal = AbortSignal.timeout(MINUTE)): Promise<SupplierFinding[]> {
  const { ctx, supplierId } = bank
  const since = new Date(ctx.clock.now().getTime() - DAY)
  const lost = await countLost(ctx.db, { supplierId, since })
  const { genuine, refused } = await findLastRequests(ctx.db, supplierId)
  return [
    await probeStock(bank, signal),
    {
      what: 'PUSH_SMS',
      works: genuine !== null,
      says:
        genuine === null ? 'none has come yet' : `the last one: ${genuine.receivedAt.toISOString()} ${genuine.state}`,
    },
    {
      what: 'key of PUSH_SMS',
      works: refused === null || (genuine !== null && refused.receivedAt < genuine.receivedAt),
      says:
        refused === null ? 'none was refused' : `refused ${refused.receivedAt.toISOString()}: ${refused.reason ?? ''}`,
    },
    { what: 'lost answers', works: lost === 0, says: `${lost} numbers of the last day were sold and never told to us` },
  ]
}

async function probeStock(bank: Bank, signal: AbortSignal): Promise<SupplierFinding> {
  const what = 'GET_SERVICES'
  try {
    const reply = await askServices(bank, signal)
    const { offers, unknown, broken } = toOffers(bank.settings, await slugsOf(bank), readLines(reply))
    const numbers = Math.max(0, ...offers.map(({ stock }) => stock))
    const rest = unknown.length === 0 ? '' : `, countries without a name here: ${unknown.join(' ')}`
    const detail = `${offers.length} offers, ${numbers} numbers of the largest, ${broken} unreadable counts${rest}`
    return { what, works: offers.length > 0 && broken === 0, says: detail }
  } catch (error) {
    return { what, works: false, says: error instanceof Error ? error.message : String(error) }
  }
}
