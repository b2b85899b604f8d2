import { STATUS_DAYS } from '#contract/status/status.ts'
import { DAY } from '#contract/time.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { NONE } from '#server/programs/cli/listing.ts'
import { listIncidents } from '#server/surfaces/site/status/incident-queries.ts'

export const listAllIncidents: Command = {
  name: 'status:list',
  summary: `list the incidents that /status shows: those under way, and those of ${STATUS_DAYS} days`,
  database: 'migrated',
  async run(cli) {
    const since = new Date(cli.clock.now().getTime() - STATUS_DAYS * DAY)
    const incidents = await listIncidents(cli.pool, since)
    if (incidents.length === 0) cli.remark(NONE)
    for (const { id, components, notes, opened_at: opened, closed_at: closed } of incidents) {
      const until = closed === null ? 'under way' : `until ${closed.toISOString()}`
      const words = notes.map(({ at, en }) => `${at} ${en}`).join('; ')
      const line = `${id} (${components.join(', ')}) from ${opened.toISOString()}, ${until}: ${words}`
      cli.tell({ id, components, opened, closed, notes }, line)
    }
    return 0
  },
}
