import { listOpenRents } from './queries.ts'
import { keepRented, type Rents } from './rents.ts'

/**
 * Loads open rentals like resumeOrders. An extension by the former supplier object may have changed the end and the id.
 */
export async function resumeRents(rents: Rents): Promise<void> {
  const { ctx, supplierId } = rents.account
  // A rental that changes here during the read is newer than its row.
  const idsBefore = new Map([...rents.open.values()].map(({ reference, rentId }) => [reference, rentId]))
  for (const row of await listOpenRents(ctx.db, supplierId)) {
    const { reference, rentId, expiresAt } = row
    const idBefore = idsBefore.get(reference)
    if (idBefore === undefined) keepRented(rents, row)
    const rent = rents.open.get(reference)
    if (rent === undefined) continue
    if (rentId !== null && rent.rentId === idBefore) rent.rentId = rentId
    if (rent.expiresAt < expiresAt) rent.expiresAt = expiresAt
  }
}
