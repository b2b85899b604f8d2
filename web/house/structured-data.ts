import type { Currency } from '#contract/money.ts'
import { toScriptJson } from './page-data.ts'

/** A type of schema.org: https://schema.org/docs/full.html. */
export type Thing = { '@type': string; [property: string]: unknown }

/** Returns a script element with data. The browser never runs it, so the content security policy allows it. */
export function structuredDataElement(things: readonly Thing[]): string {
  if (things.length === 0) return ''
  // toScriptJson escapes `<`, so the text cannot end the script element.
  const text = toScriptJson({ '@context': 'https://schema.org', '@graph': things })
  return `<script type="application/ld+json">${text}</script>`
}

export type Crumb = { title: string; path: string }

/** Returns breadcrumbs as structured data. `crumbs` lead from the home page to the page itself. */
export function breadcrumbList(origin: string, crumbs: readonly Crumb[]): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ title, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      item: origin + (path === '/' ? '' : path),
    })),
  }
}

/** Returns questions as structured data. Answers are plain text or HTML. */
export function faqPage(questions: readonly { question: string; answer: string }[]): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

export function articleThing(input: {
  origin: string
  path: string
  title: string
  description: string
  published: string
  updated: string
  author: string
  locale: string
}): Thing {
  const { origin, path, title, description, published, updated, author, locale } = input
  return {
    '@type': 'Article',
    headline: title,
    description,
    datePublished: published,
    dateModified: updated,
    inLanguage: locale,
    author: { '@type': 'Organization', name: author },
    publisher: { '@type': 'Organization', name: 'Ringpost', logo: `${origin}/icons/icon-512.png` },
    image: `${origin}${SHARE_PICTURE.path}`,
    mainEntityOfPage: origin + path,
  }
}

/** Returns a product as structured data; empty without stock. `prices` are decimals of offers, the lowest first. */
export function productThings(input: {
  origin: string
  path: string
  name: string
  description: string
  currency: Currency
  prices: readonly string[]
}): Thing[] {
  const { origin, path, name, description, currency, prices } = input
  const [lowest] = prices
  if (lowest === undefined) return []
  const offers = {
    '@type': 'AggregateOffer',
    priceCurrency: currency.toUpperCase(),
    url: origin + path,
    lowPrice: lowest,
    highPrice: prices.at(-1),
    offerCount: prices.length,
    availability: 'https://schema.org/InStock',
  }
  return [{ '@type': 'Product', name, description, image: `${origin}${SHARE_PICTURE.path}`, offers }]
}

export function siteThings(origin: string, description: string): Thing[] {
  return [
    { '@type': 'Organization', name: 'Ringpost', url: origin, logo: `${origin}/icons/icon-512.png` },
    { '@type': 'WebSite', name: 'Ringpost', url: origin, description },
  ]
}

/** Social networks show this picture for a shared link. scripts/draw-brand.mjs draws it. */
export const SHARE_PICTURE = { path: '/share.png', width: 1200, height: 630 } as const

/** Returns the path of a page's own picture to share. `path` is that of the page. */
export function sharePath(path: string, locale: string): string {
  return `/share${path}.png?l=${locale}`
}
