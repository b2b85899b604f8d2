import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readLimit, readPhone, remarkPage } from '#server/programs/cli/listing.ts'
import { type ListedSim, listSimsWithSales } from './queries.ts'

const STATES = ['in_use', 'resting', 'retired']

export const listSims: Command = {
  name: 'sim:list',
  summary: `list SIM cards: slot, number, last SMS, what they were sold for; --state is ${STATES.join(', ')}`,
  options: {
    supplier: { shows: 'CODE' },
    phone: { shows: '77051234567' },
    device: { shows: 'DEVICE' },
    state: { shows: STATES.join('|') },
    ...PAGE_OPTIONS,
  },
  database: 'migrated',
  async run(cli, { options }) {
    const { state = null, supplier = null, device = null, after = null } = options
    if (state !== null && !STATES.includes(state)) throw new WrongUsage(`--state is one of ${STATES.join(', ')}`)
    const limit = readLimit(options.limit)
    const rows = await listSimsWithSales(cli.pool, {
      supplier,
      phone: readPhone(options.phone),
      device,
      state,
      after,
      limit,
    })
    for (const row of rows) cli.tell(row, inWords(row))
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.phone })
    return 0
  },
}

function inWords(sim: ListedSim): string {
  const { phone, supplier, device, slot, operator, reason, last_sms_at: lastAt } = sim
  const sales = Object.entries(sim.sales).map(([code, count]) => `${code} ${count}`)
  const sold = sales.length === 0 ? 'not sold yet' : `sold for ${sales.join(', ')}`
  const last = lastAt === null ? 'no SMS yet' : `last SMS ${lastAt.toISOString()}`
  const why = reason === null ? '' : ` (${reason})`
  const state = `${sim.state.replace('_', ' ')} since ${sim.state_since.toISOString()}${why}`
  return `${phone} ${supplier} ${device} slot ${slot} ${operator}: ${state}, ${last}, ${sold}`
}
