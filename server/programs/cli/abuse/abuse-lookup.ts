import { DAY } from '#contract/time.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { plain, readPhone } from '#server/programs/cli/listing.ts'
import { type HolderRow, listHolders, listSendersTo, type SenderRow } from '#server/programs/cli/queries/lookups.ts'

/** The maximum period of a look-up. A lawful request names a period, never the whole history of a number. */
const MAX_DAYS = 366
const MOST_ROWS = 1_000
export const LOOKUP = 'abuse:lookup'

export const lookUpNumber: Command = {
  name: LOOKUP,
  summary:
    'for a lawful request, which --reason names: who had a number between two times, and from whom messages came, never their words; noted in the register (abuse:list) before it is shown',
  values: ['PHONE'],
  options: { from: { shows: '2026-01-31', required: true }, to: { shows: '2026-02-28T14:05:00Z', required: true } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const phone = readPhone(given.values[0]) ?? ''
    const from = readMoment('from', given.options.from)
    const to = readMoment('to', given.options.to)
    if (to <= from) throw new WrongUsage('--to is after --from')
    if (to.getTime() - from.getTime() > MAX_DAYS * DAY)
      throw new WrongUsage(`--from and --to are at most ${MAX_DAYS} days apart`)
    const range = { phone, from, to, limit: MOST_ROWS }
    const found: { holders: HolderRow[]; senders: SenderRow[] } = { holders: [], senders: [] }
    await makeChange(cli, { name: LOOKUP, given }, async (tx) => {
      found.holders = await listHolders(tx, range)
      found.senders = await listSendersTo(tx, range)
      const counts = { holders: found.holders.length, messages: found.senders.length }
      const asked = { phone, from: from.toISOString(), to: to.toISOString() }
      const subject = `phone:${phone}`
      // A dry run is not in the audit log, so it does not reveal whether the number had holders.
      if (cli.dryRun) return { subject, detail: asked, says: `${phone}: who had it, and what messages came.` }
      const says = `${phone}: ${counts.holders} had it, ${counts.messages} messages came.`
      return { subject, detail: { ...asked, ...counts }, says }
    })
    // Results are shown only if the look-up is recorded in the audit log.
    if (cli.dryRun) return
    for (const row of found.holders) cli.tell({ what: 'holder', ...row }, describeHolder(row))
    for (const row of found.senders) cli.tell({ what: 'message', ...row }, describeSender(row))
    const longest = Math.max(found.holders.length, found.senders.length)
    if (longest === MOST_ROWS) cli.remark(`These are the first ${MOST_ROWS}: ask for a shorter time.`)
  },
}

function readMoment(name: string, given = ''): Date {
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(given) ? new Date(given) : null
  if (at !== null && !Number.isNaN(at.getTime())) return at
  throw new WrongUsage(`--${name} is such as 2026-01-31 or 2026-01-31T14:05:00Z`)
}

function describeHolder({ kind, id, user_id, email, service_code, state, held_from, held_until }: HolderRow): string {
  const until = held_until === null ? 'now' : held_until.toISOString()
  return `${held_from.toISOString()} – ${until} ${kind} ${id}, ${service_code}, ${state}: user ${user_id}, ${plain(email ?? 'no e-mail')}`
}

function describeSender({ at, sender, kind, id }: SenderRow): string {
  return `${at.toISOString()} a message from ${plain(sender)}${kind === null ? '' : ` for ${kind} ${id}`}`
}
