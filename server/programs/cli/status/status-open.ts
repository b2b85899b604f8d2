import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { insertIncident } from '#server/surfaces/site/status/incident-queries.ts'
import { readComponents, readNote } from './read-incident.ts'

export const openIncident: Command = {
  name: 'status:open',
  summary: 'tell of an incident on /status, in Russian and in English; the first words are its headline',
  values: ['RU', 'EN'],
  options: { component: { shows: 'codes,links', required: true } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const components = readComponents(given)
    const [ru, en] = given.values
    return makeChange(cli, { name: 'status:open', given }, async (tx, now) => {
      const note = readNote([ru, en], now)
      const id = await insertIncident(tx, { components, note, now })
      const says = `Incident ${id} is shown on /status within seconds: add to it with status:update ${id}.`
      return { subject: `incident:${id}`, detail: { components, ru: note.ru, en: note.en }, says }
    })
  },
}
