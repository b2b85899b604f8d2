/**
 * Every screen, in one list, in the order of the specification. A link may only point to what stands here: the header,
 * the footer and the bottom bar ask `routeNamed` and leave out what is not there yet.
 *
 * How a screen gets its data: its file exports `Page`, and `loader` if it needs data. The loader runs on the server for
 * the first view and in the browser after that, with the same face (`LoaderInput`): `api` is answered in-process on the
 * server and by fetch in the browser; `url` is the page's own; `session.status` says who looks. `Page` reads the result
 * by `useScreenData<typeof loader>()`. What a loader throws is shown by the layout: a CallError 404 is the 404 page.
 */
import type { DocumentName } from '#contract/content-names.ts'

export type SiteRoute = {
  /** The specification's name: `___ru` because only ru is configured in routing, while texts exist in ru and en. */
  name: `${string}___ru`
  path: string
  /** `signed-in`: a visitor is sent to sign in and comes back after it. */
  access: 'public' | 'signed-in'
  /** Query parameters the screen reads. Others change neither the page nor its place in the cache. */
  query: readonly string[]
  /** `all`: the screen is written in texts that most pages do not need (LATER_TEXTS in vite.config.ts). */
  texts: 'first' | 'all'
  /** Below web/screens: the folder of a `page.tsx`, or a file without its ending. web/screens.ts loads it. */
  screen: string
}

const NUMBERS_QUERY = 'search services countries sort'

export const ROUTES: readonly SiteRoute[] = [
  homeAt('index', '/', `service country operator ${NUMBERS_QUERY}`),
  // The home page under these, too: what their query carries is taken up in the browser (web/account/landing.ts).
  homeAt('reset-password', '/check/reset-password'),
  homeAt('social-callback', '/auth/:service/callback'),
  homeAt('social-link-callback', '/auth/:service/link-callback'),
  {
    ...mine('activations', '/activations', NUMBERS_QUERY, 'activations'),
    texts: 'first',
  },
  mine('rent', '/rent', `service country operator period ended ${NUMBERS_QUERY}`, 'rent'),
  mine('history', '/history', 'view period from to search mode outcome services countries direction', 'history'),
  mine('statistic', '/statistic', 'period from to mode services countries service country', 'statistic'),
  mine('settings', '/settings', '', 'settings'),
  mine('settings-security', '/settings/security', '', 'settings/security'),
  mine('settings-sessions', '/settings/sessions', '', 'settings/sessions'),
  open('price', '/price', 'service country page', 'price'),
  open('country', '/country', 'letter page search', 'country/index-page'),
  open('country-country', '/country/:country', '', 'country'),
  open('service', '/service', 'letter page search', 'service/index-page'),
  open('service-service', '/service/:service', '', 'service'),
  open('sitemap', '/sitemap', '', 'sitemap'),
  open('blog', '/blog', 'search page', 'blog'),
  open('blog-search-search', '/blog/search/:search', 'page', 'blog/search-page'),
  open('blog-category', '/blog/:category', 'page', 'blog'),
  open('blog-category-article', '/blog/:category/:article', '', 'blog/article-page'),
  open('faq', '/faq', 'search', 'faq'),
  open('faq-category', '/faq/:category', '', 'faq/category-page'),
  open('faq-category-alias', '/faq/:category/:alias', '', 'faq/answer-page'),
  open('doc', '/doc', '', 'doc'),
  open('doc-services', '/doc/services', 'search page', 'doc/services-page'),
  open('doc-countries', '/doc/countries', 'search page', 'doc/countries-page'),
  open('doc-operators', '/doc/operators', 'search', 'doc/operators-page'),
  open('loyalty', '/loyalty', '', 'loyalty'),
  open('contacts', '/contacts', '', 'contacts'),
  open('partners', '/partners', '', 'partners'),
  documentAt('terms-of-use'),
  documentAt('privacy-policy'),
  documentAt('refund-policy'),
  documentAt('acceptable-use'),
]

/** Any other path: status 404. */
export const NOT_FOUND_ROUTE: SiteRoute = {
  ...open('not-found', '*', '', 'not-found'),
  texts: 'first',
}

/** A screen for anybody. `query` names its parameters. */
function open(name: string, path: string, query: string, screen: string): SiteRoute {
  return {
    name: `${name}___ru`,
    path,
    access: 'public',
    query: query === '' ? [] : query.split(' '),
    texts: 'all',
    screen,
  }
}

/** A screen of whoever is signed in. */
function mine(...route: Parameters<typeof open>): SiteRoute {
  return { ...open(...route), access: 'signed-in' }
}

function homeAt(name: string, path: string, query = ''): SiteRoute {
  return { ...open(name, path, query, 'home'), texts: 'first' }
}

function documentAt(name: DocumentName): SiteRoute {
  return open(name, `/${name}`, '', 'documents')
}

/** How much of the texts the screen of this route needs. `id` is the full name of the route. */
export function textsOf(id: string | undefined): 'first' | 'all' {
  return ROUTES.find(({ name }) => name === id)?.texts ?? 'first'
}

/** The route of that name, or undefined when the screen does not exist: then nothing may link to it. */
export function routeNamed(name: string): SiteRoute | undefined {
  return ROUTES.find((route) => route.name === `${name}___ru`)
}
