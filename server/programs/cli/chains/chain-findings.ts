import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { type FindingRow, listFindings, settleFinding } from '#server/programs/cli/queries/chains.ts'

export const listChainFindings: Command = {
  name: 'chain:findings',
  summary: 'what was found on chains and needs a decision: coin that a contract sent, sums too large to believe',
  options: PAGE_OPTIONS,
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listFindings(cli.pool, { after: readAfterId(options.after) ?? 0n, limit })
    for (const row of rows) cli.tell(row, describe(row))
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

export const settleChainFinding: Command = {
  name: 'chain:settle',
  summary: 'note that a finding is decided; what it is worth is credited by user:credit',
  values: ['FINDING'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [name = ''] = given.values
    if (!/^\d{1,18}$/.test(name)) throw new WrongUsage('FINDING is the number of chain:findings')
    return makeChange(cli, { name: 'chain:settle', given }, async (tx, now) => {
      const row = await settleFinding(tx, { id: BigInt(name), now })
      if (row === null) throw new CommandRefused(`There is no finding ${name} that waits`)
      const subject = `gateway:${row.gateway}`
      return { subject, detail: { finding: name, userId: row.user_id }, says: `Finding ${name} is settled.` }
    })
  },
}

function describe({ id, at, gateway, kind, units, asset, user_id, address, height }: FindingRow): string {
  return `${id} ${at.toISOString()} ${gateway}: ${kind}, ${units} units of ${asset} for user ${user_id} at ${address}, block ${height}`
}
