import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, plain, readAfterId, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { listAudit } from '#server/programs/cli/queries/audit.ts'
import { LOOKUP } from './abuse-lookup.ts'

export const listLookups: Command = {
  name: 'abuse:list',
  summary: 'the register of requests, newest first: who looked up which number of which time, when and why',
  options: PAGE_OPTIONS,
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const every = { subject: null, actor: null, since: null }
    const rows = await listAudit(cli.pool, { ...every, command: LOOKUP, after: readAfterId(options.after), limit })
    for (const { id, at, actor, reason, detail } of rows) {
      const { phone, from, to } = detail
      cli.tell(
        { id, at, by: actor, reason, ...detail },
        `${id} ${at.toISOString()} ${plain(actor)} ${String(phone)} ${String(from)} – ${String(to)}: ${plain(reason)}`,
      )
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}
