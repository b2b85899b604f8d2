import { addNumbers, disableNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { parseNumber, refuseBadNumbers, refuseForeign, requireRange } from './own-range.ts'
import { readLines, splitLine } from './read-lines.ts'

export const addRange: Command = {
  name: 'numbers:add',
  summary: 'put numbers into the range of an smpp or webhook supplier; FILE has lines of phone,country,operator',
  values: ['SUPPLIER_CODE', 'FILE'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', file = ''] = given.values
    const numbers = (await readLines(file)).map(({ place, text }) => parseNumber(splitLine(text), `${file}:${place}`))
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
