import type { Locale } from '#contract/constants.ts'
import { shownCountries, soldServices } from '#server/catalog/directory/items.ts'
import { slugsOf } from '#server/catalog/directory/slugs.ts'
import type { Zone } from '#server/config/config.ts'
import type { Context } from '#server/context.ts'
import { contentOf } from '#server/site/content/content-of.ts'
import { PUBLIC_PATHS } from '#server/site/content/site-paths.ts'

/** One page of the site. `changedOn`: the day its text changed; null where prices do that all the time. */
export type Address = { path: string; changedOn: string | null }

/** The parts of the site map by name, each with fewer addresses than the 50 000 that the format allows. */
export const PARTS = ['pages', 'blog', 'faq', 'services', 'countries'] as const
export type Part = (typeof PARTS)[number]

/** The addresses of one part that are open to everybody. */
export async function listAddresses(ctx: Context, zone: Zone, part: Part): Promise<Address[]> {
  const all = await addressesOf(ctx, languageOf(zone), part)
  return all.filter(({ path }) => !ctx.config.closedPages.includes(path.split('/')[1] ?? ''))
}

/** The parts that have any: one whose pages are closed is no part of the map. */
export async function listParts(ctx: Context, zone: Zone): Promise<Part[]> {
  const lengths = await Promise.all(PARTS.map(async (part) => (await listAddresses(ctx, zone, part)).length))
  return PARTS.filter((_, at) => lengths[at] !== 0)
}

/** The language in which a zone is shown to whoever has not chosen one. */
export function languageOf(zone: Zone): Locale {
  return zone.locales[0] ?? 'ru'
}

async function addressesOf(ctx: Context, locale: Locale, part: Part): Promise<Address[]> {
  const { articles, answers, documents, sections } = (await contentOf(ctx))[locale]
  const ofTexts = (texts: readonly { path: string; front: { updated: string } }[]) =>
    texts.map(({ path, front }) => ({ path, changedOn: front.updated }))
  const plain = (paths: readonly string[]) => paths.map((path) => ({ path, changedOn: null }))
  switch (part) {
    case 'pages':
      return [...plain(PUBLIC_PATHS), ...ofTexts([...documents.values()])]
    case 'blog':
      return [...plain(['/blog', ...Object.keys(sections.blog).map((slug) => `/blog/${slug}`)]), ...ofTexts(articles)]
    case 'faq':
      return [...plain(['/faq', ...Object.keys(sections.faq).map((slug) => `/faq/${slug}`)]), ...ofTexts(answers)]
    case 'services': {
      const slugs = slugsOf(ctx.catalog).ofService
      return plain(soldServices(ctx).map(({ code }) => `/service/${slugs.get(code) ?? code}`))
    }
    case 'countries': {
      const slugs = slugsOf(ctx.catalog).ofCountry
      return plain(shownCountries(ctx).map(({ id }) => `/country/${slugs.get(id) ?? id}`))
    }
    default:
      return part satisfies never
  }
}
