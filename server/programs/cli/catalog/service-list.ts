import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { listServices } from '#server/programs/cli/queries/catalog.ts'

export const listAllServices: Command = {
  name: 'service:list',
  summary:
    'list services with their codes and offers in stock; --search takes a part of the name, --blocked those not sold',
  options: { search: { shows: 'TEXT' }, ...PAGE_OPTIONS },
  switches: ['blocked'],
  database: 'migrated',
  async run(cli, { options, switches }) {
    const limit = readLimit(options.limit)
    const rows = await listServices(cli.pool, {
      search: options.search ?? null,
      blocked: switches.has('blocked'),
      after: options.after ?? null,
      limit,
    })
    for (const row of rows) {
      const blocked = row.blocked_at === null ? '' : `, blocked since ${row.blocked_at.toISOString()}`
      const { code: id, name_en, blocked_at, offers } = row
      cli.tell({ id, name_en, blocked_at, offers }, `${id} ${name_en}: ${offers} offers${blocked}`)
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.code })
    return 0
  },
}
