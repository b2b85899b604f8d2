import type { Ending, HeldNumber } from '#server/core/suppliers/supplier.ts'
import { STATUS } from '../wire/words.ts'
import type { Bank } from './bank.ts'
import { isEnded, markEnded } from './queries/orders.ts'

/** The longest time for which a bank that does not answer delays the job. */
const FINISH_LIMIT_MS = 7_000

/** Ends a number by FINISH_ACTIVATION. Throws until the bank answers SUCCESS, so that the job retries. */
export async function endNumber(bank: Bank, number: HeldNumber, ending: Ending, signal: AbortSignal): Promise<void> {
  const { ctx, supplierId, ask } = bank
  const { reference, supplierReference } = number
  if (await isEnded(ctx.db, { supplierId, reference })) return
  const status = statusOf(ending)
  // The bank's id is known to have only digits, because this was checked when it was stored.
  const fields = { activationId: BigInt(supplierReference), status }
  const reply = await ask('FINISH_ACTIVATION', fields, { signal, timeLimitMs: FINISH_LIMIT_MS })
  if (reply.status !== 'SUCCESS') throw new Error(`FINISH_ACTIVATION was answered with ${reply.status} ${reply.error}`)
  await markEnded(ctx.db, { supplierId, reference, told: status, now: ctx.clock.now() })
}

function statusOf(ending: Ending): number {
  switch (ending) {
    case 'finished':
      return STATUS.sold
    case 'used':
      return STATUS.used
    case 'cancelled':
    case 'expired':
    case 'unsold':
      return STATUS.cancelled
    default:
      return ending satisfies never
  }
}
