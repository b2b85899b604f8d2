import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, plain, readAfterId, readLimit, readSince, remarkPage } from '#server/programs/cli/listing.ts'
import { listAudit } from '#server/programs/cli/queries/audit.ts'

export const listChanges: Command = {
  name: 'audit:list',
  summary: 'list what staff changed, newest first: by whom, with which command, of what (user:12), since when',
  options: {
    subject: { shows: 'user:12' },
    command: { shows: 'COMMAND' },
    by: { shows: 'WHO' },
    since: { shows: '24h' },
    ...PAGE_OPTIONS,
  },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listAudit(cli.pool, {
      subject: options.subject ?? null,
      command: options.command ?? null,
      actor: options.by ?? null,
      since: readSince(options.since, cli.clock.now()),
      after: readAfterId(options.after),
      limit,
    })
    for (const { id, at, actor, command, subject, reason, detail } of rows) {
      cli.tell(
        { id, at, by: actor, command, subject, reason, detail },
        `${id} ${at.toISOString()} ${plain(actor)} ${command} ${subject}: ${plain(reason)} ${plain(JSON.stringify(detail))}`,
      )
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}
