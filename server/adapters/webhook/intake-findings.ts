import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findLastRequests, type LastRequest } from '../shared/incoming/last-request-queries.ts'

export async function testIntake(db: Db, supplierId: number): Promise<SupplierFinding[]> {
  const { genuine, refused, numbers } = await findLastRequests(db, supplierId)
  return [
    {
      what: 'last request',
      works: genuine !== null && genuine.state !== 'unread',
      says: genuine === null ? 'none that was genuine has come yet' : words(genuine),
    },
    {
      what: 'signature',
      works: refused === null || (genuine !== null && refused.receivedAt < genuine.receivedAt),
      says: refused === null ? 'none was refused' : `the last one refused: ${words(refused)}`,
    },
    { what: 'numbers', works: numbers > 0, says: `${numbers} on sale` },
  ]
}

function words({ receivedAt, address, state, reason }: LastRequest): string {
  return `${receivedAt.toISOString()} from ${address}: ${state}${reason === null ? '' : `, ${reason}`}`
}
