import { findSupplierId, listSupplierEvents } from '#server/core/catalog/health/queries/shown.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, plain, readAfterId, readLimit, readSince, remarkPage } from '#server/programs/cli/listing.ts'

export const listEvents: Command = {
  name: 'supplier:events',
  summary: 'list what happened to a supplier and why, newest first: links, set aside, tried, brought back, paused',
  values: ['CODE'],
  options: { since: { shows: '24h' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { values, options }) {
    const [code = ''] = values
    const supplierId = await findSupplierId(cli.pool, code)
    if (supplierId === null) throw new CommandRefused(`There is no supplier ${code}`)
    const limit = readLimit(options.limit)
    const since = readSince(options.since, cli.clock.now())
    const rows = await listSupplierEvents(cli.pool, { supplierId, since, after: readAfterId(options.after), limit })
    for (const row of rows) cli.tell(row, `${row.id} ${row.at.toISOString()} ${row.kind}: ${plain(row.reason)}`)
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}
