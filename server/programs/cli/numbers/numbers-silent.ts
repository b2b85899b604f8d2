import {
  listSilent,
  resumeSilent,
  resumeSilentUses,
} from '#server/adapters/shared/own-numbers/queries/silent-numbers.ts'
import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { insertEvent } from '#server/core/catalog/health/queries/standings.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { readLines, splitLine } from './read-lines.ts'

export const listSilentNumbers: Command = {
  name: 'numbers:silent',
  summary:
    'list numbers of our own ranges that are set aside because no message came to them, or no code for one service',
  options: { supplier: { shows: 'CODE' }, service: { shows: 'tg' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const { supplier = null, service = null, after = null } = options
    const rows = await listSilent(cli.pool, { supplier, service, after, limit })
    for (const row of rows) {
      const what = row.service_code === null ? 'silent' : `without a code for ${row.service_code}`
      const since = row.silent_at.toISOString()
      cli.tell(row, `${row.phone} ${row.supplier}: ${what} through ${row.silent_sales} sales, set aside since ${since}`)
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.phone })
    return 0
  },
}

export const resumeNumbers: Command = {
  name: 'numbers:resume',
  summary: 'sell numbers again that were set aside as silent: all of a supplier, or those in FILE, or for one service',
  values: ['SUPPLIER_CODE'],
  options: { service: { shows: 'tg' }, file: { shows: 'FILE' } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    const { service, file } = given.options
    const phones = file === undefined ? null : (await readLines(file)).map(({ text }) => readPhone(text))
    return makeChange(cli, { name: 'numbers:resume', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const wanted = { supplierId: supplier.id, phones }
      const resumed = await (service === undefined
        ? resumeSilent(tx, wanted)
        : resumeSilentUses(tx, { ...wanted, service, now }))
      if (resumed > 0) {
        const reason = `${resumed} numbers${service === undefined ? '' : ` for ${service}`}: ${given.options.reason ?? ''}`
        await insertEvent(tx, { supplierId: supplier.id, kind: 'numbers-resumed', reason, now })
        await raiseCatalogVersion(tx, now)
      }
      const says = `${code}: ${resumed} numbers are sold again${service === undefined ? '' : ` for ${service}`}.`
      const detail = { service: service ?? null, phones: phones?.length ?? null, resumed }
      return { subject: `supplier:${code}`, detail, says, unchanged: resumed === 0 }
    })
  },
}

function readPhone(line: string): string {
  return (splitLine(line)[0] ?? '').replace(/^\+/, '')
}
