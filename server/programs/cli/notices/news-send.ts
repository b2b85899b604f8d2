import type { Locale } from '#contract/constants.ts'
import { insertNews } from '#server/core/notifications/queries/news.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, WrongUsage } from '#server/programs/cli/command.ts'

const [LONGEST_TITLE, LONGEST_TEXT] = [100, 500]
const MANY_PEOPLE = 100

export const sendNews: Command = {
  name: 'news:send',
  summary: 'tell everybody who has an account now, by the channels they have chosen for news; it cannot be called back',
  options: {
    ru: { shows: '"TITLE|TEXT"', required: true },
    en: { shows: '"TITLE|TEXT"', required: true },
    link: { shows: '/price' },
  },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const words = { ru: readWords(given, 'ru'), en: readWords(given, 'en') }
    const link = readLink(given.options.link)
    return makeChange(cli, { name: 'news:send', given }, async (tx, now) => {
      const { id, people } = await insertNews(tx, { words, link, now })
      if (people > MANY_PEOPLE) refuseDoubtful(given, `${people} people would be told`)
      const said = `${people} people are told within the next minutes by a running server.`
      return { subject: `news:${id}`, detail: { words, link, people }, says: said }
    })
  },
}

function readWords({ options }: Arguments, locale: Locale): { title: string; text: string } {
  const [title = '', ...rest] = (options[locale] ?? '').split('|')
  const words = { title: title.trim(), text: rest.join('|').trim() }
  if (words.title === '' || words.text === '') throw new WrongUsage(`--${locale} is "TITLE|TEXT"`)
  if (words.title.length > LONGEST_TITLE || words.text.length > LONGEST_TEXT) {
    throw new WrongUsage(`--${locale} has a title of ${LONGEST_TITLE} characters and a text of ${LONGEST_TEXT} at most`)
  }
  return words
}

function readLink(link: string | undefined): string | null {
  if (link === undefined) return null
  if (!/^\/(?!\/)[\x21-\x7e]{0,199}$/.test(link) || link.includes('\\')) {
    throw new WrongUsage('--link is a path of the site such as /price')
  }
  return link
}
