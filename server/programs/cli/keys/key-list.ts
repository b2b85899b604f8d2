import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, plain, readAfterId, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { type KeySheet, listKeySheets } from '#server/programs/cli/queries/keys.ts'
import { requireUser } from '#server/programs/cli/users/find-account.ts'

export const listAllKeys: Command = {
  name: 'key:list',
  summary:
    'list API keys, newest first, of everybody or of --user: what each may do, from where, its limit and last use',
  options: { user: { shows: 'EMAIL' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listKeySheets(cli.pool, {
      userId: options.user === undefined ? null : (await requireUser(cli.pool, options.user)).id,
      after: readAfterId(options.after),
      limit,
    })
    for (const row of rows) {
      const { day_limit_micros: micros, ...told } = row
      cli.tell({ ...told, day_limit: micros === null ? null : toDecimal(micros) }, describe(row))
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

function describe(row: KeySheet): string {
  const who = `${row.email ?? 'no e-mail'} (user ${row.user_id})${row.by_staff ? ', given by staff' : ''}${row.sandbox ? ', play money' : ''}`
  const from = row.addresses.length === 0 ? 'from anywhere' : `from ${row.addresses.join(' ')}`
  const limit = row.day_limit_micros === null ? 'no limit' : `${toDecimal(row.day_limit_micros)} ${row.currency} a day`
  const used = row.last_used_at === null ? 'never used' : `last used ${row.last_used_at.toISOString()}`
  const revoked = row.revoked_at === null ? '' : `, revoked ${row.revoked_at.toISOString()}`
  const does = `${row.scopes.join(' ')}, ${from}, ${limit}, ${used}${revoked}`
  return `${row.id} ${row.created_at.toISOString()} "${plain(row.name)}" of ${who}: ${does}`
}
