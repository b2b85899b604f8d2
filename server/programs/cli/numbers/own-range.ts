import type { NewNumber } from '#server/adapters/shared/own-numbers/queries/numbers.ts'
import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { judgeDialling } from '#server/core/catalog/lists/dialling.ts'
import { listCountryRows } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { OWN_NUMBER_KINDS } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, CommandRefused } from '#server/programs/cli/command.ts'

const SHOWN = 5

/** Throws CommandRefused for phone numbers of another country than stated, because buyers could not use them. */
export async function refuseForeign(tx: Db, given: Arguments, numbers: readonly NewNumber[]): Promise<void> {
  const countries = new Map((await listCountryRows(tx)).map((country) => [country.id, country]))
  const judged = numbers.flatMap(({ phone, countryId }) => {
    const country = countries.get(countryId)
    if (country === undefined) return []
    const { name_en: name, dial } = country
    return [{ is: judgeDialling(phone, country), words: `${phone} for ${name} (+${dial})` }]
  })
  const foreign = judged.filter((one) => one.is === 'foreign').map(({ words }) => words)
  if (foreign.length > 0) throw new CommandRefused(`Numbers of another country: ${listSome(foreign)}`)
  const shared = judged.filter((one) => one.is === 'shared').map(({ words }) => words)
  if (shared.length > 0) {
    refuseDoubtful(given, `By their area these are numbers of another country with the same code: ${listSome(shared)}`)
  }
}

function listSome(words: readonly string[]): string {
  const more = words.length > SHOWN ? ` and ${words.length - SHOWN} more` : ''
  return `${words.slice(0, SHOWN).join(', ')}${more}`
}

/**
 * Parses a phone number with its country and operator. Throws CommandRefused, whose message names the line (`place`).
 */
export function parseNumber(words: readonly string[], place: string): NewNumber {
  const [phone, country, operator, ...rest] = words
  if (phone === undefined || country === undefined || operator === undefined || rest.length > 0) {
    throw new CommandRefused(`${place}: a line is phone,country,operator, such as 77051234567,2,altel`)
  }
  if (!/^\+?\d+$/.test(phone)) throw new CommandRefused(`${place}: "${phone}" is not a phone, with its country code`)
  if (!/^\d{1,6}$/.test(country)) throw new CommandRefused(`${place}: "${country}" is not the number of a country`)
  return { phone: phone.replace(/^\+/, ''), countryId: Number(country), operator }
}

export async function requireRange(tx: Db, code: string): Promise<number> {
  const supplier = await lockSupplier(tx, code)
  if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
  if (!OWN_NUMBER_KINDS.includes(supplier.kind)) {
    throw new CommandRefused(`${code} is of kind ${supplier.kind}: it has no range of ours`)
  }
  return supplier.id
}

/**
 * Rethrows an error. An error about wrong phone numbers becomes CommandRefused; its message begins with `Bad numbers:
 * `.
 */
export function refuseBadNumbers(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Bad numbers: ')) throw new CommandRefused(error.message)
  throw error
}
