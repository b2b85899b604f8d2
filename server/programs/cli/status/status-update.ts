import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { tellOfIncident } from '#server/surfaces/site/status/incident-queries.ts'
import { notUnderWay, readIncidentId, readNote } from './read-incident.ts'

export const updateIncident: Command = {
  name: 'status:update',
  summary: 'tell more of an incident under way, in Russian and in English',
  values: ['ID', 'RU', 'EN'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const id = readIncidentId(given)
    const [, ru, en] = given.values
    return makeChange(cli, { name: 'status:update', given }, async (tx, now) => {
      const note = readNote([ru, en], now)
      if (!(await tellOfIncident(tx, { id, note, closes: false, now }))) throw notUnderWay(id)
      return {
        subject: `incident:${id}`,
        detail: { ru: note.ru, en: note.en },
        says: `Incident ${id} has one more note.`,
      }
    })
  },
}
