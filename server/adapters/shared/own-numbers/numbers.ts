import type { Db } from '#server/house/db/pool.ts'
import { disablePhones, type NewNumber, selectTaken, upsertNumbers } from './queries/numbers.ts'

export type AddedNumbers = {
  written: number
  unchanged: number
  taken: string[]
}

const PHONE_PATTERN = /^[1-9]\d{6,14}$/
const OPERATOR_PATTERN = /^[a-z0-9_-]{1,32}$/
const BATCH = 5_000
const FAULTS_SHOWN = 10

/** Stores numbers, after all were validated. `phone` is digits with the country code. */
export async function addNumbers(db: Db, supplierId: number, numbers: readonly NewNumber[]): Promise<AddedNumbers> {
  const wanted = checkNumbers(numbers)
  const taken: string[] = []
  let written = 0
  for (let at = 0; at < wanted.length; at += BATCH) {
    const batch = wanted.slice(at, at + BATCH)
    written += await upsertNumbers(db, supplierId, batch)
    taken.push(...(await selectTaken(db, supplierId, batch)))
  }
  return { written, unchanged: wanted.length - written - taken.length, taken }
}

/** Takes numbers off sale. A number in an order stays with its buyer until the order ends. */
export async function disableNumbers(db: Db, supplierId: number, phones: readonly string[]): Promise<number> {
  return disablePhones(db, supplierId, phones)
}

function checkNumbers(numbers: readonly NewNumber[]): NewNumber[] {
  const byPhone = new Map<string, NewNumber>()
  const faults: string[] = []
  for (const number of numbers) {
    const before = byPhone.get(number.phone)
    if (!PHONE_PATTERN.test(number.phone)) faults.push(`"${number.phone}" is not 7 to 15 digits`)
    else if (!OPERATOR_PATTERN.test(number.operator)) faults.push(`"${number.operator}" is not an operator's name`)
    else if (before && (before.countryId !== number.countryId || before.operator !== number.operator))
      faults.push(`${number.phone} is named twice, differently`)
    byPhone.set(number.phone, number)
  }
  if (faults.length > 0) {
    const more = faults.length > FAULTS_SHOWN ? ` and ${faults.length - FAULTS_SHOWN} more` : ''
    throw new Error(`Bad numbers: ${faults.slice(0, FAULTS_SHOWN).join('; ')}${more}`)
  }
  return [...byPhone.values()]
}
