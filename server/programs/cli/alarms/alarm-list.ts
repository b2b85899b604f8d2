import { listAlarms, listMutes } from '#server/core/alarms/queries.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'

export const listStandingAlarms: Command = {
  name: 'alarm:list',
  summary: 'list the alarms that stand, and what is muted until when',
  database: 'migrated',
  async run({ pool, clock, tell, remark }) {
    const alarms = await listAlarms(pool)
    const mutes = await listMutes(pool, clock.now())
    for (const alarm of alarms) {
      const told = alarm.told_at === null ? 'muted' : 'told'
      const about = alarm.about === '' || alarm.name.includes(' ') ? '' : ` (${plain(alarm.about)})`
      tell(
        { ...alarm, about: plain(alarm.about) },
        `${plain(alarm.name)}${about}: since ${alarm.began_at.toISOString()}, ${told}`,
      )
    }
    for (const mute of mutes) tell(mute, `${mute.name}: muted until ${mute.until.toISOString()}`)
    if (alarms.length + mutes.length === 0) remark('No alarm stands, and none is muted.')
    return 0
  },
}
