import { judgeDialling } from '#server/catalog/lists/dialling.ts'
import { listCountryRows, raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange, refuseDoubtful } from '#server/cli/change.ts'
import { type Arguments, type Command, CommandRefused } from '#server/cli/command.ts'
import { lockSupplier } from '#server/cli/queries/suppliers.ts'
import type { Db } from '#server/db/pool.ts'
import { addNumbers, disableNumbers } from '#server/suppliers/own-numbers/numbers.ts'
import type { NewNumber } from '#server/suppliers/own-numbers/queries/numbers.ts'
import { readLines, splitLine } from './read-lines.ts'

export const addRange: Command = {
  name: 'numbers:add',
  summary: 'put numbers into the range of an smpp supplier; FILE has lines of phone,country,operator',
  values: ['SUPPLIER_CODE', 'FILE'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', file = ''] = given.values
    const numbers = (await readLines(file)).map(({ place, text }) => parseNumber(text, `${file}:${place}`))
    return makeChange(cli, { name: 'numbers:add', given }, async (tx, now) => {
      const supplierId = await requireRange(tx, code)
      await refuseForeign(tx, given, numbers)
      const added = await addNumbers(tx, supplierId, numbers).catch(refuseBadNumbers)
      await raiseCatalogVersion(tx, now)
      const { written, unchanged, taken } = added
      const elsewhere = taken.length > 0 ? `, ${taken.length} left with another supplier (${taken[0]} …)` : ''
      return {
        subject: `supplier:${code}`,
        detail: { written, unchanged, taken: taken.length },
        says: `${code}: ${written} numbers added, ${unchanged} were there already${elsewhere}.`,
      }
    })
  },
}

export const disableRange: Command = {
  name: 'numbers:disable',
  summary: 'sell the numbers in FILE, one a line, no more; whoever has one keeps it to the end',
  values: ['SUPPLIER_CODE', 'FILE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', file = ''] = given.values
    const phones = (await readLines(file)).map(({ text }) => splitLine(text)[0] ?? '')
    return makeChange(cli, { name: 'numbers:disable', given }, async (tx, now) => {
      const supplierId = await requireRange(tx, code)
      const disabled = await disableNumbers(tx, supplierId, phones)
      await raiseCatalogVersion(tx, now)
      const says = `${code}: ${disabled} of ${phones.length} numbers are not sold any more.`
      return { subject: `supplier:${code}`, detail: { disabled }, says, unchanged: disabled === 0 }
    })
  },
}

const SHOWN = 5

/** A number of another country is useless to its buyer. */
async function refuseForeign(tx: Db, given: Arguments, numbers: readonly NewNumber[]): Promise<void> {
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

function parseNumber(text: string, place: string) {
  const [phone, country, operator, ...rest] = splitLine(text)
  if (phone === undefined || country === undefined || operator === undefined || rest.length > 0) {
    throw new CommandRefused(`${place}: a line is phone,country,operator, such as 77051234567,2,altel`)
  }
  if (!/^\d{1,6}$/.test(country)) throw new CommandRefused(`${place}: "${country}" is not the number of a country`)
  return { phone: phone.replace(/^\+/, ''), countryId: Number(country), operator }
}

async function requireRange(tx: Db, code: string): Promise<number> {
  const supplier = await lockSupplier(tx, code)
  if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
  if (supplier.kind !== 'smpp') throw new CommandRefused(`${code} is of kind ${supplier.kind}: it has no range of ours`)
  return supplier.id
}

/** Supplier kinds report bad numbers by this prefix; any other error is a fault. */
function refuseBadNumbers(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Bad numbers: ')) throw new CommandRefused(error.message)
  throw error
}
