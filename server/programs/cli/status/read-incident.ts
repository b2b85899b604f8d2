import type { Locale } from '#contract/constants.ts'
import { STATUS_COMPONENTS, type StatusComponent } from '#contract/status/status.ts'
import { type Arguments, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { type IncidentNote, MOST_NOTES } from '#server/surfaces/site/status/incident-queries.ts'

/** The maximum length of a note, in characters, which is a few lines on a phone. */
const LONGEST_TEXT = 500

export function readNote([ru, en]: readonly [string | undefined, string | undefined], now: Date): IncidentNote {
  const read = (locale: Locale, text = '') => {
    const words = text.trim()
    if (words !== '' && words.length <= LONGEST_TEXT && !/\p{Cc}/u.test(words)) return words
    throw new WrongUsage(`the text in ${locale} is one line of 1 to ${LONGEST_TEXT} characters`)
  }
  return { at: now.toISOString(), ru: read('ru', ru), en: read('en', en) }
}

export function readIncidentId({ values: [id = ''] }: Arguments): number {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new WrongUsage('ID is the number of an incident, as status:list shows it')
  return Number(id)
}

export function readComponents({ options }: Arguments): StatusComponent[] {
  const named = new Set((options.component ?? '').split(',').map((name) => name.trim()))
  const known = STATUS_COMPONENTS.filter((name) => named.delete(name))
  if (known.length > 0 && named.size === 0) return known
  throw new WrongUsage(`--component is one or more of ${STATUS_COMPONENTS.join(', ')}, with commas between`)
}

export function notUnderWay(id: number): CommandRefused {
  return new CommandRefused(`Incident ${id} is not under way, or already has ${MOST_NOTES} notes`)
}
