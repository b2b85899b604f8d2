import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { listCountries } from '#server/programs/cli/queries/catalog.ts'

export const listAllCountries: Command = {
  name: 'country:list',
  summary: 'list countries with their numbers, dialling codes and offers in stock; --search takes a part of the name',
  options: { search: { shows: 'TEXT' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listCountries(cli.pool, {
      search: options.search ?? null,
      after: readAfterId(options.after),
      limit,
    })
    for (const row of rows) {
      const hidden = row.visible ? '' : ', hidden'
      cli.tell(row, `${row.id} ${row.name_en} (${row.iso2}, +${row.dial}): ${row.offers} offers${hidden}`)
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}
