import type { Screen } from './loader-input.ts'
import type { SiteRoute } from './routes.ts'

/** The code of each screen, by its file below this folder's `screens`. Apart from the routes: links need those alone. */
const SCREENS: Readonly<Record<string, () => Promise<Screen>>> = {
  'activations/page': () => import('./screens/activations/page.tsx'),
  'rent/page': () => import('./screens/rent/page.tsx'),
  'history/page': () => import('./screens/history/page.tsx'),
  'statistic/page': () => import('./screens/statistic/page.tsx'),
  'settings/page': () => import('./screens/settings/page.tsx'),
  'settings/security/page': () => import('./screens/settings/security/page.tsx'),
  'settings/sessions/page': () => import('./screens/settings/sessions/page.tsx'),
  'price/page': () => import('./screens/price/page.tsx'),
  'country/index-page': () => import('./screens/country/index-page.tsx'),
  'country/page': () => import('./screens/country/page.tsx'),
  'service/index-page': () => import('./screens/service/index-page.tsx'),
  'service/page': () => import('./screens/service/page.tsx'),
  'sitemap/page': () => import('./screens/sitemap/page.tsx'),
  'blog/page': () => import('./screens/blog/page.tsx'),
  'blog/search-page': () => import('./screens/blog/search-page.tsx'),
  'blog/article-page': () => import('./screens/blog/article-page.tsx'),
  'faq/page': () => import('./screens/faq/page.tsx'),
  'faq/category-page': () => import('./screens/faq/category-page.tsx'),
  'faq/answer-page': () => import('./screens/faq/answer-page.tsx'),
  'doc/page': () => import('./screens/doc/page.tsx'),
  'doc/services-page': () => import('./screens/doc/services-page.tsx'),
  'doc/countries-page': () => import('./screens/doc/countries-page.tsx'),
  'doc/operators-page': () => import('./screens/doc/operators-page.tsx'),
  'loyalty/page': () => import('./screens/loyalty/page.tsx'),
  'contacts/page': () => import('./screens/contacts/page.tsx'),
  'partners/page': () => import('./screens/partners/page.tsx'),
  'not-found/page': () => import('./screens/not-found/page.tsx'),
  'home/page': () => import('./screens/home/page.tsx'),
  'documents/page': () => import('./screens/documents/page.tsx'),
}

/** Loads the code of a route's screen. */
export const loadScreen = ({ screen }: SiteRoute): Promise<Screen> =>
  SCREENS[screen]?.() ?? Promise.reject(new Error(screen))

/** By which the manifest of the build knows what to preload. */
export function screenFile({ screen }: SiteRoute): string {
  return `web/screens/${screen}.tsx`
}
