import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readCountry, readLimit, readPhone, remarkPage } from '#server/programs/cli/listing.ts'
import { listNumbersOfRanges } from '#server/programs/cli/queries/ranges.ts'

const STATES = ['free', 'sold', 'disabled']

export const listNumbers: Command = {
  name: 'numbers:list',
  summary: `list the numbers of our own ranges and what each is out for now; --state is ${STATES.join(', ')}`,
  options: {
    supplier: { shows: 'CODE' },
    phone: { shows: '77051234567' },
    country: { shows: '2' },
    operator: { shows: 'altel' },
    state: { shows: STATES.join('|') },
    ...PAGE_OPTIONS,
  },
  database: 'migrated',
  async run(cli, { options }) {
    const { state = null } = options
    if (state !== null && !STATES.includes(state)) throw new WrongUsage(`--state is one of ${STATES.join(', ')}`)
    const limit = readLimit(options.limit)
    const rows = await listNumbersOfRanges(cli.pool, {
      supplier: options.supplier ?? null,
      phone: readPhone(options.phone),
      countryId: readCountry(options.country),
      operator: options.operator ?? null,
      state,
      after: options.after ?? null,
      limit,
    })
    for (const row of rows) {
      const sold = row.leased_for.length === 0 ? 'free' : `out for ${row.leased_for.join(' ')}`
      const off = row.silent_at === null ? 'disabled' : 'set aside as silent'
      const use = row.enabled ? sold : `${off}, ${sold}`
      const spent = `not sold any more for ${row.spent_for} services`
      cli.tell(row, `${row.phone} ${row.supplier} country ${row.country_id} ${row.operator}: ${use}, ${spent}`)
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.phone })
    return 0
  },
}
