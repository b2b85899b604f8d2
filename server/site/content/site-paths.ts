/** Pages that anybody may read, and that are neither texts nor lists of them. That each answers is tested in the browser. */
export const PUBLIC_PATHS = [
  '/',
  '/price',
  '/country',
  '/service',
  '/sitemap',
  '/doc/services',
  '/doc/countries',
  '/doc/operators',
] as const

/** Pages that texts may link to and that are no texts themselves. */
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
  '/settings/sessions',
  '/api/openapi.json',
])
