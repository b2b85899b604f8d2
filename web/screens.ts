import type { Screen } from './loader-input.ts'
import type { SiteRoute } from './routes.ts'

/** Keys are `screen` of a route. Apart from routes.ts, because links must not import the screens. */
const SCREENS: Readonly<Record<string, () => Promise<Screen>>> = {
  activations: () => import('./screens/activations/page.tsx'),
  rent: () => import('./screens/rent/page.tsx'),
  'top-up': () => import('./screens/top-up/page.tsx'),
  history: () => import('./screens/history/page.tsx'),
  statistic: () => import('./screens/statistic/page.tsx'),
  settings: () => import('./screens/settings/page.tsx'),
  'settings/security': () => import('./screens/settings/security/page.tsx'),
  'settings/notifications': () => import('./screens/settings/notifications/page.tsx'),
  'settings/sessions': () => import('./screens/settings/sessions/page.tsx'),
  price: () => import('./screens/price/page.tsx'),
  'country/index-page': () => import('./screens/country/index-page.tsx'),
  country: () => import('./screens/country/page.tsx'),
  'service/index-page': () => import('./screens/service/index-page.tsx'),
  service: () => import('./screens/service/page.tsx'),
  sitemap: () => import('./screens/sitemap/page.tsx'),
  blog: () => import('./screens/blog/page.tsx'),
  'blog/search-page': () => import('./screens/blog/search-page.tsx'),
  'blog/article-page': () => import('./screens/blog/article-page.tsx'),
  faq: () => import('./screens/faq/page.tsx'),
  'faq/category-page': () => import('./screens/faq/category-page.tsx'),
  'faq/answer-page': () => import('./screens/faq/answer-page.tsx'),
  doc: () => import('./screens/doc/page.tsx'),
  'doc/services-page': () => import('./screens/doc/services-page.tsx'),
  'doc/countries-page': () => import('./screens/doc/countries-page.tsx'),
  'doc/operators-page': () => import('./screens/doc/operators-page.tsx'),
  loyalty: () => import('./screens/loyalty/page.tsx'),
  contacts: () => import('./screens/contacts/page.tsx'),
  partners: () => import('./screens/partners/page.tsx'),
  'not-found': () => import('./screens/not-found/page.tsx'),
  home: () => import('./screens/home/page.tsx'),
  documents: () => import('./screens/documents/page.tsx'),
}

export const loadScreen = ({ screen }: SiteRoute): Promise<Screen> =>
  SCREENS[screen]?.() ?? Promise.reject(new Error(screen))

/** The screen's key in the manifest of the build. */
export function screenFile({ screen }: SiteRoute): string {
  return `web/screens/${screen}${screen.endsWith('-page') ? '' : '/page'}.tsx`
}
