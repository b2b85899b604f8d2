import type { Db } from '#server/house/db/pool.ts'
import { findNationalNumber } from './queries/national-number.ts'

/** A number to which a message was sent, with digits only. `isNational` means that the country code is missing. */
export type Destination = { phone: string; isNational?: true }

/** Returns `7900…` for `+7 900…` and `007900…`. `calledNational` and a leading 0 mean that the country code is missing. */
export function readDestination(address: string, { calledNational = false } = {}): Destination {
  const digits = address.replaceAll(/\D/g, '')
  const isInternational = address.trimStart().startsWith('+') || digits.startsWith('00')
  const phone = digits.replace(/^00/, '')
  return !isInternational && (calledNational || digits.startsWith('0')) ? { phone, isNational: true } : { phone }
}

/** Finds the supplier's number that a national number means. If none or several match, `phone` stays as written. */
export async function findDestination(
  db: Db,
  { supplierId, phone, isNational }: Destination & { supplierId: number },
): Promise<string> {
  return (isNational && (await findNationalNumber(db, { supplierId, digits: phone }))) || phone
}
