import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { ALARMS_EN } from '#contract/words/alarms-en.ts'
import { muteAlarm, unmuteAlarm } from '#server/alarms/queries.ts'
import { makeChange } from '#server/cli/change.ts'
import { type Command, WrongUsage } from '#server/cli/command.ts'

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }
const LONGEST_MS = 30 * DAY

export const muteAlarms: Command = {
  name: 'alarm:mute',
  summary:
    'tell nobody that an alarm begins (NAME: a kind such as link-down, or link-down:range); if it lasts, it is told then',
  values: ['NAME'],
  options: { for: { shows: '2h', required: true } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const name = readName(given.values[0] ?? '')
    const lastsMs = readLasting(given.options.for ?? '')
    return makeChange(cli, { name: 'alarm:mute', given }, async (tx, now) => {
      const until = new Date(now.getTime() + lastsMs)
      await muteAlarm(tx, { name, until, now })
      return { subject: `alarm:${name}`, detail: { until }, says: `${name} is muted until ${until.toISOString()}.` }
    })
  },
}

export const unmuteAlarms: Command = {
  name: 'alarm:unmute',
  summary: 'tell of a muted alarm again, at once if it stands',
  values: ['NAME'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const name = readName(given.values[0] ?? '')
    return makeChange(cli, { name: 'alarm:unmute', given }, async (tx, now) => {
      const changed = await unmuteAlarm(tx, { name, now })
      const says = changed ? `${name} is told again.` : `${name} is not muted.`
      return { subject: `alarm:${name}`, detail: {}, says, unchanged: !changed }
    })
  },
}

/** As it stands in the table: `link-down range`. */
function readName(given: string): string {
  const [kind = '', ...about] = given.split(/[: ]/)
  if (!Object.hasOwn(ALARMS_EN, kind)) {
    throw new WrongUsage(`There is no alarm ${kind}; there are ${Object.keys(ALARMS_EN).join(', ')}`)
  }
  return about.length === 0 ? kind : `${kind} ${about.join(' ')}`
}

function readLasting(given: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(given) ?? []
  const lastsMs = Number(count ?? 0) * (UNITS_MS[unit] ?? 0)
  if (lastsMs <= 0 || lastsMs > LONGEST_MS) throw new WrongUsage('--for is such as 30m, 2h or 7d, 30d at most')
  return lastsMs
}
