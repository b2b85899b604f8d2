/** The routes are in the order of the specification. Links use `routeNamed`, so they omit screens that do not exist. */
import type { DocumentName } from '#contract/content-names.ts'

export type SiteRoute = {
  /** The specification wants names with `___ru`, because routing knows only ru, although texts exist in ru and en. */
  name: `${string}___ru`
  path: string
  /** On `signed-in` pages a visitor signs in first and returns. `staff` pages are 404 for everybody else. */
  access: 'public' | 'signed-in' | 'staff'
  /** The query parameters that the screen reads. Other parameters change neither the page nor its cache key. */
  query: readonly string[]
  /** The screen also needs the texts of `lazy/` if this is `all`. */
  texts: 'initial' | 'all'
  /** The path of the screen's file below web/screens, without `.tsx`; for a file `page.tsx` the path of its folder. */
  screen: string
}

const BOARD_QUERY = 'service country sort min_share'
const NUMBERS_QUERY = 'search services countries sort'

export const ROUTES: readonly SiteRoute[] = [
  homeAt('index', '/', `service country operator max ${NUMBERS_QUERY}`),
  // These paths also show the home page. web/account/landing.ts handles their query in the browser.
  homeAt('reset-password', '/check/reset-password'),
  homeAt('social-callback', '/auth/:service/callback'),
  homeAt('social-link-callback', '/auth/:service/link-callback'),
  {
    ...mine('activations', '/activations', NUMBERS_QUERY, 'activations'),
    texts: 'initial',
  },
  mine('rent', '/rent', `service country operator period ended ${NUMBERS_QUERY}`, 'rent'),
  mine('top-up', '/top-up', 'amount back payment', 'top-up'),
  mine(
    'history',
    '/history',
    'view payment period from to search mode outcome services countries direction',
    'history',
  ),
  mine('statistic', '/statistic', 'period from to mode services countries service country', 'statistic'),
  mine('settings', '/settings', '', 'settings'),
  mine('settings-api', '/settings/api', '', 'settings/api'),
  mine('settings-other', '/settings/other', '', 'settings/other'),
  mine('settings-security', '/settings/security', '', 'settings/security'),
  mine('settings-notifications', '/settings/notifications', '', 'settings/notifications'),
  mine('settings-sessions', '/settings/sessions', '', 'settings/sessions'),
  mine('support', '/support', 'search state', 'support'),
  mine('support-create', '/support/create', 'activation rental payment', 'support'),
  mine('support-ticket', '/support/:ticket', '', 'support'),
  staffOnly('staff-tickets', '/staff/tickets', 'state category mine search page'),
  staffOnly('staff-ticket', '/staff/tickets/:ticket', ''),
  staffOnly('staff-answers', '/staff/answers', ''),
  staffOnly('staff-suppliers', '/staff/suppliers', ''),
  staffOnly('staff-supplier', '/staff/suppliers/:code', ''),
  mine('settings-privacy', '/settings/privacy', '', 'settings/privacy'),
  open('price', '/price', `by pick ${BOARD_QUERY}`, 'price'),
  open('country', '/country', 'letter page search', 'country/index-page'),
  open('country-country', '/country/:country', `all operator max ${BOARD_QUERY}`, 'country'),
  open('service', '/service', 'letter page search', 'service/index-page'),
  open('service-service', '/service/:service', `all operator max ${BOARD_QUERY}`, 'service'),
  open('sitemap', '/sitemap', '', 'sitemap'),
  open('blog', '/blog', 'search page', 'blog'),
  open('blog-search-search', '/blog/search/:search', 'page', 'blog/search-page'),
  open('blog-category', '/blog/:category', 'page', 'blog'),
  open('blog-category-article', '/blog/:category/:article', '', 'blog/article-page'),
  open('faq', '/faq', 'search', 'faq'),
  open('faq-category', '/faq/:category', '', 'faq/category-page'),
  open('faq-category-alias', '/faq/:category/:alias', 'activation rental payment', 'faq/answer-page'),
  open('doc', '/doc', '', 'doc'),
  open('doc-api', '/doc/api', 'search code', 'doc/api'),
  open('doc-handler-api', '/doc/handler-api', 'code', 'doc/protocols'),
  open('doc-five-sim', '/doc/five-sim', 'code', 'doc/protocols'),
  open('doc-webhooks', '/doc/webhooks', 'code', 'doc/protocols'),
  open('doc-live', '/doc/live', 'code', 'doc/protocols'),
  open('doc-errors', '/doc/errors', 'search', 'doc/errors'),
  open('doc-services', '/doc/services', 'search page', 'doc/services-page'),
  open('doc-countries', '/doc/countries', 'search page', 'doc/countries-page'),
  open('doc-operators', '/doc/operators', 'search', 'doc/operators-page'),
  open('loyalty', '/loyalty', '', 'loyalty'),
  open('contacts', '/contacts', '', 'contacts'),
  open('status', '/status', '', 'status'),
  open('partners', '/partners', '', 'partners'),
  documentAt('terms-of-use'),
  documentAt('privacy-policy'),
  documentAt('refund-policy'),
  documentAt('acceptable-use'),
]

/** Matches any path without a route of its own, with status 404. */
export const NOT_FOUND_ROUTE: SiteRoute = {
  ...open('not-found', '*', '', 'not-found'),
  texts: 'initial',
}

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

function mine(...route: Parameters<typeof open>): SiteRoute {
  return { ...open(...route), access: 'signed-in' }
}

function staffOnly(name: string, path: string, query: string): SiteRoute {
  return { ...open(name, path, query, 'staff'), access: 'staff' }
}

function homeAt(name: string, path: string, query = ''): SiteRoute {
  return { ...open(name, path, query, 'home'), texts: 'initial' }
}

function documentAt(name: DocumentName): SiteRoute {
  return open(name, `/${name}`, '', 'documents')
}

export function textsOf(id: string | undefined): 'initial' | 'all' {
  return ROUTES.find(({ name }) => name === id)?.texts ?? 'initial'
}

/** Returns the name by which the operator closes a page: the first segment of its path. */
export function pageName({ path }: SiteRoute): string {
  return path === '/' ? 'index' : (path.split('/')[1] ?? '')
}

/** Returns the route; undefined if the page does not exist or the operator has closed it. */
export function openRouteNamed(name: string, closedPages: readonly string[]): SiteRoute | undefined {
  const route = routeNamed(name)
  return route === undefined || closedPages.includes(pageName(route)) ? undefined : route
}

/** Returns the route; undefined if its screen does not exist, so that nothing links to it. */
export function routeNamed(name: string): SiteRoute | undefined {
  return ROUTES.find((route) => route.name === `${name}___ru`)
}
