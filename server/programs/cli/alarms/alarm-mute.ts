import type { AlarmKind } from '#contract/mails.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { ALARMS_EN } from '#contract/words/alarms-en.ts'
import { isAlarmSubject, muteAlarm, unmuteAlarm } from '#server/core/alarms/queries.ts'
import { OF_EACH } from '#server/core/alarms/set-alarm.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }
const LONGEST_MS = 30 * DAY
const ALARM_KINDS = Object.keys(ALARMS_EN) as AlarmKind[]

export const muteAlarms: Command = {
  name: 'alarm:mute',
  summary:
    'tell nobody that an alarm begins (NAME: a kind such as link-down, or link-down:range); if it lasts, it is told then',
  values: ['NAME'],
  options: { for: { shows: '2h', required: true } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const { name, about } = readName(given.values[0] ?? '')
    const lastsMs = readLasting(given.options.for ?? '')
    return makeChange(cli, { name: 'alarm:mute', given }, async (tx, now) => {
      if (about !== null && !(await isAlarmSubject(tx, about))) {
        throw new CommandRefused(`There is no supplier, gateway or currency ${about}`)
      }
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
    const { name } = readName(given.values[0] ?? '')
    return makeChange(cli, { name: 'alarm:unmute', given }, async (tx, now) => {
      const changed = await unmuteAlarm(tx, { name, now })
      const says = changed ? `${name} is told again.` : `${name} is not muted.`
      return { subject: `alarm:${name}`, detail: {}, says, unchanged: !changed }
    })
  },
}

/** Parses an alarm's name, such as `link-down range`, into name and subject. A null `about` means all of the kind. */
function readName(given: string): { name: string; about: string | null } {
  const [word = '', ...rest] = given.split(/[: ]/)
  const kind = ALARM_KINDS.find((known) => known === word)
  if (kind === undefined) throw new WrongUsage(`There is no alarm ${word}; there are ${ALARM_KINDS.join(', ')}`)
  if (rest.length === 0) return { name: kind, about: null }
  if (!OF_EACH.includes(kind)) throw new WrongUsage(`${kind} is one alarm: it is named without what it is about`)
  const about = rest.join(' ')
  return { name: `${kind} ${about}`, about }
}

function readLasting(given: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(given) ?? []
  const lastsMs = Number(count ?? 0) * (UNITS_MS[unit] ?? 0)
  if (lastsMs <= 0 || lastsMs > LONGEST_MS) throw new WrongUsage('--for is such as 30m, 2h or 7d, 30d at most')
  return lastsMs
}
