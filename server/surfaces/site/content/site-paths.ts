/** The public pages other than texts and lists of texts. A browser test opens each of them. */
export const PUBLIC_PATHS = [
  '/',
  '/price',
  '/country',
  '/service',
  '/sitemap',
  '/doc/api',
  '/doc/services',
  '/doc/countries',
  '/doc/operators',
] as const

export const SITE_PATHS: ReadonlySet<string> = new Set([
  ...PUBLIC_PATHS,
  '/blog',
  '/faq',
  '/activations',
  '/rent',
  '/history',
  '/statistic',
  '/settings',
  '/settings/security',
  '/settings/notifications',
  '/settings/sessions',
  '/settings/api',
  '/settings/privacy',
  '/api/openapi.json',
])
