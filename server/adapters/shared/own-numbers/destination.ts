import type { Db } from '#server/house/db/pool.ts'
import { findNationalNumber } from './queries/national-number.ts'

/** `phone`: digits. `isNational`: without the code of the country. */
export type Destination = { phone: string; isNational?: true }

/** `+7 900…` and `007900…` are the same number as `7900…`; `0900…` is a national one, and whatever its sender calls so. */
export function readDestination(address: string, { calledNational = false } = {}): Destination {
  const digits = address.replaceAll(/\D/g, '')
  const isInternational = address.trimStart().startsWith('+') || digits.startsWith('00')
  const phone = digits.replace(/^00/, '')
  return !isInternational && (calledNational || digits.startsWith('0')) ? { phone, isNational: true } : { phone }
}

/** A national number is looked for among the supplier's own. Where none fits, or several do, it stays as it was written. */
export async function findDestination(
  db: Db,
  { supplierId, phone, isNational }: Destination & { supplierId: number },
): Promise<string> {
  return (isNational && (await findNationalNumber(db, { supplierId, digits: phone }))) || phone
}
