import type { Command } from '#server/programs/cli/command.ts'
import { listOutlets, type OutletSummary } from './queries.ts'

export const listAllOutlets: Command = {
  name: 'outlet:list',
  summary: 'list the platforms that we supply: what the last day brought, and messages they have not accepted',
  database: 'migrated',
  async run({ pool, clock, tell, remark }) {
    const outlets = await listOutlets(pool, clock.now())
    if (outlets.length === 0) remark('There is no outlet yet.')
    for (const outlet of outlets) tell(outlet, describe(outlet))
    return 0
  },
}

function describe(outlet: OutletSummary): string {
  const {
    code,
    kind,
    key,
    user_id: userId,
    paused_at: pausedAt,
    given,
    sold,
    refunded,
    waiting,
    given_up: givenUp,
    reason,
  } = outlet
  const state = pausedAt === null ? 'at work' : `paused since ${pausedAt.toISOString()}`
  const day = `${given} numbers in a day, ${sold} sold, ${refunded} refunded`
  const pushes = `${waiting} messages not accepted yet, ${givenUp} given up${reason === null ? '' : ` (${reason})`}`
  const buyer = key === null ? 'its key is gone' : `key ${key} of user ${userId}`
  return `${code} (${kind}): ${state}, ${buyer}, ${day}, ${pushes}`
}
