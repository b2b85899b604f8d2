import type { Locale } from '#contract/constants.ts'
import { contentLocale } from '#contract/settings/languages.ts'
import { shownCountries, soldServices } from '#server/core/catalog/directory/items.ts'
import { slugsOf } from '#server/core/catalog/directory/slugs.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'
import { contentOf } from '#server/surfaces/site/content/content-of.ts'
import { PUBLIC_PATHS } from '#server/surfaces/site/content/site-paths.ts'

/** `changedOn` is the day when the text changed, or null for pages whose prices change all the time. */
export type Address = { path: string; changedOn: string | null }

/** The parts of the site map. Each stays below the format's limit of 50 000 addresses. */
export const PARTS = ['pages', 'blog', 'faq', 'services', 'countries'] as const
export type Part = (typeof PARTS)[number]

export async function listAddresses(ctx: Context, zone: Zone, part: Part): Promise<Address[]> {
  const all = await addressesOf(ctx, languageOf(zone), part)
  return all.filter(({ path }) => !ctx.config.closedPages.includes(path === '/' ? 'index' : (path.split('/')[1] ?? '')))
}

/** Lists the parts of the site map. A part whose pages are all closed is left out. */
export async function listParts(ctx: Context, zone: Zone): Promise<Part[]> {
  const lengths = await Promise.all(PARTS.map(async (part) => (await listAddresses(ctx, zone, part)).length))
  return PARTS.filter((_, at) => lengths[at] !== 0)
}

export function languageOf(zone: Zone): Locale {
  return contentLocale(zone.locales[0] ?? 'ru')
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
      const slugs = slugsOf(catalogOf(ctx)).ofService
      return plain(soldServices(ctx).map(({ code }) => `/service/${slugs.get(code) ?? code}`))
    }
    case 'countries': {
      const slugs = slugsOf(catalogOf(ctx)).ofCountry
      return plain(shownCountries(ctx).map(({ id }) => `/country/${slugs.get(id) ?? id}`))
    }
    default:
      return part satisfies never
  }
}
