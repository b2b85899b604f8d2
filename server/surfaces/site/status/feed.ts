import type { Locale } from '#contract/constants.ts'
import type { StatusReply } from '#contract/status/status.ts'
import { element, escapeXml, XML_HEAD } from '#server/surfaces/site/site-map/xml.ts'

const WORDS = {
  ru: { title: 'Ringpost: состояние сервиса', about: 'Сбои и работы', closed: 'Закончилось' },
  en: { title: 'Ringpost: status', about: 'Incidents and maintenance', closed: 'Resolved' },
} as const

/** Makes the feed of incidents (RSS 2.0). Each note is an item, so that readers tell of an incident's course. */
export function makeFeed({ incidents }: StatusReply, { locale, origin }: { locale: Locale; origin: string }): string {
  const words = WORDS[locale]
  const items = incidents.flatMap(({ id, notes, closed_at: closedAt }) => {
    const link = `${origin}/status#incident-${id}`
    const [first] = notes
    return notes.map(({ at, text }, place) => ({
      at,
      xml: [
        '<item>',
        element(
          'title',
          closedAt !== null && place === notes.length - 1 && place > 0
            ? `${words.closed}: ${first?.text}`
            : (first?.text ?? ''),
        ),
        element('link', link),
        `<guid isPermaLink="false">${escapeXml(`${origin}/status#incident-${id}-${place + 1}`)}</guid>`,
        element('description', text),
        element('pubDate', new Date(at).toUTCString()),
        '</item>\n',
      ].join(''),
    }))
  })
  const newestFirst = items.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ xml }) => xml)
  const head = element('title', words.title) + element('link', `${origin}/status`) + element('description', words.about)
  const self = `<atom:link href="${escapeXml(origin)}/status.rss" rel="self" type="application/rss+xml"/>`
  const channel = `<channel>${head}${element('language', locale)}${self}\n${newestFirst.join('')}</channel>`
  return `${XML_HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">${channel}</rss>\n`
}
