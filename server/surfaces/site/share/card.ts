import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMoney } from '#contract/money.ts'
import { countryItem, currencyOf, findCountry, findService, serviceItem } from '#server/core/catalog/directory/items.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { getArticle } from '#server/surfaces/site/content/articles.ts'

/** The texts and the icon of a picture. Equal cards have equal pictures, so a card is also the picture's name in the cache. */
export type Card = {
  title: string
  about: string
  /** The path of an icon below dist/client; null if there is none. */
  icon: string | null
  stub: { label: string; value: string; note: string } | { day: string; year: string }
}

const WORDS = {
  ru: {
    services: 'Номера для кодов из СМС',
    countries: 'Номера для кодов из СМС',
    from: 'номер от',
    share: 'доля кодов',
  },
  en: {
    services: 'Numbers for SMS codes',
    countries: 'Numbers for SMS codes',
    from: 'numbers from',
    share: 'success rate:',
  },
} as const

const PAGES = { services: 'service', countries: 'country' } as const

/** Makes the card of a service or country. Throws NOT_FOUND, as its page does. */
export function cardOfItem(
  ctx: Context,
  caller: Caller,
  { kind, slug }: { kind: keyof typeof PAGES; slug: string },
): Card {
  requireOpen(ctx, caller, PAGES[kind])
  const item =
    kind === 'services'
      ? serviceItem(ctx, caller, findService(ctx, slug))
      : countryItem(ctx, caller, findCountry(ctx, slug))
  const words = WORDS[caller.locale]
  const share = item.success_share
  return {
    title: item.name,
    about: words[kind],
    icon: kind === 'services' ? `marks/${item.id}.svg` : `flags/${item.iso2}.svg`,
    stub: {
      label: item.price === null ? '' : words.from,
      value: item.price === null ? '' : formatMoney(item.price, currencyOf(caller), caller.locale),
      note: share === null ? '' : `${words.share} ${Math.floor(share * 100)}\u00a0%`,
    },
  }
}

/** Makes the card of an article, with its day as a postmark. Throws NOT_FOUND. */
export async function cardOfArticle(
  ctx: Context,
  caller: Caller,
  wanted: { category: string; slug: string },
): Promise<Card> {
  requireOpen(ctx, caller, 'blog')
  const { title, category, published } = (await getArticle(ctx, caller, wanted)).data
  const [year = '', month = '', day = ''] = published.split('-')
  return { title, about: category.title, icon: null, stub: { day: `${day}·${month}`, year } }
}

const CLIENT = join(import.meta.dirname, '../../../../dist/client')
/** Codes are of the catalogue, which staff may extend, so a code that could leave the folder names no icon. */
const ICON_PATH = /^(?:marks|flags)\/\w+\.svg$/

/** Reads an icon as a data URL, or returns null. A service without a mark has none. */
export async function readIcon(path: string | null): Promise<string | null> {
  if (path === null || !ICON_PATH.test(path)) return null
  try {
    return `data:image/svg+xml;base64,${(await readFile(join(CLIENT, path))).toString('base64')}`
  } catch {
    return null
  }
}
