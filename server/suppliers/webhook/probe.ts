import type { Db } from '#server/db/pool.ts'
import type { ProbeLine } from '#server/suppliers/supplier.ts'
import { findLastRequests, type LastRequest } from './queries.ts'

export async function probeIntake(db: Db, supplierId: number): Promise<ProbeLine[]> {
  const { genuine, refused, numbers } = await findLastRequests(db, supplierId)
  return [
    {
      what: 'last request',
      ok: genuine !== null,
      detail: genuine === null ? 'none that was genuine has come yet' : words(genuine),
    },
    {
      what: 'signature',
      ok: genuine !== null && (refused === null || refused.receivedAt < genuine.receivedAt),
      detail: refused === null ? 'none was refused' : `the last one refused: ${words(refused)}`,
    },
    { what: 'numbers', ok: numbers > 0, detail: `${numbers} on sale` },
  ]
}

function words({ receivedAt, address, state, reason }: LastRequest): string {
  return `${receivedAt.toISOString()} from ${address}: ${state}${reason === null ? '' : `, ${reason}`}`
}
