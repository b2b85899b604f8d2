import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { tellOfIncident } from '#server/surfaces/site/status/incident-queries.ts'
import { notUnderWay, readIncidentId, readNote } from './read-incident.ts'

const OVER = { ru: 'Всё снова работает.', en: 'Everything works again.' }

export const closeIncident: Command = {
  name: 'status:close',
  summary: 'tell that an incident is over, in words of your own or in the usual ones',
  values: ['ID'],
  options: { ru: { shows: `"${OVER.ru}"` }, en: { shows: `"${OVER.en}"` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const id = readIncidentId(given)
    const { ru = OVER.ru, en = OVER.en } = given.options
    return makeChange(cli, { name: 'status:close', given }, async (tx, now) => {
      const note = readNote([ru, en], now)
      if (!(await tellOfIncident(tx, { id, note, closes: true, now }))) throw notUnderWay(id)
      return { subject: `incident:${id}`, detail: { ru: note.ru, en: note.en }, says: `Incident ${id} is over.` }
    })
  },
}
