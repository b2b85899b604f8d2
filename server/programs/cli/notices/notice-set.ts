import { LOCALES } from '#contract/constants.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { readMoment } from '#server/programs/cli/read-moment.ts'
import { type Notice, putNotice } from '#server/surfaces/site/notices/queries.ts'

const NAME_PATTERN = /^[a-z0-9-]{1,40}$/
/** The maximum length of a notice, in characters, which fills two lines on a phone. */
const LONGEST_TEXT = 200

export const setNotice: Command = {
  name: 'notice:set',
  summary:
    'show a banner above every page, or change the one of this name, which whoever has closed it then sees again',
  values: ['NAME'],
  options: {
    ru: { shows: 'TEXT' },
    en: { shows: 'TEXT' },
    from: { shows: '2026-12-01' },
    until: { shows: '2027-01-01' },
  },
  switches: ['error'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const notice = readNotice(given, cli.clock.now())
    return makeChange(cli, { name: 'notice:set', given }, async (tx) => {
      const version = await putNotice(tx, notice)
      const { name, kind, texts, beginsAt, endsAt } = notice
      const times = `from ${beginsAt.toISOString()}${endsAt === null ? '' : ` until ${endsAt.toISOString()}`}`
      return {
        subject: `notice:${name}`,
        detail: { version, kind, texts, from: beginsAt, until: endsAt },
        says: `${name} is shown ${times} in ${Object.keys(texts).join(', ')}.`,
      }
    })
  },
}

function readNotice({ values: [name = ''], options, switches }: Arguments, now: Date): Omit<Notice, 'version'> {
  if (!NAME_PATTERN.test(name)) throw new WrongUsage('NAME is 1 to 40 small letters, digits, hyphens')
  const texts: Notice['texts'] = {}
  for (const locale of LOCALES) {
    const text = options[locale]?.trim() ?? ''
    if (text.length > LONGEST_TEXT) throw new WrongUsage(`--${locale} has at most ${LONGEST_TEXT} characters`)
    if (text !== '') texts[locale] = text
  }
  if (Object.keys(texts).length === 0) throw new WrongUsage(`one of --${LOCALES.join(', --')} is needed`)
  const [beginsAt, endsAt] = [readMoment('from', options.from) ?? now, readMoment('until', options.until)]
  if (endsAt !== null && endsAt <= (beginsAt > now ? beginsAt : now)) {
    throw new WrongUsage('--until is after now and after --from')
  }
  return { name, kind: switches.has('error') ? 'error' : 'info', texts, beginsAt, endsAt }
}
