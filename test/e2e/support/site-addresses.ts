import { ROUTES, type SiteRoute } from '#web/navigation/routes.ts'

/** Sample values for the parameters of an address, by route, because several routes have a `{category}`. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'country-country___ru': { country: 'kazakhstan' },
  'service-service___ru': { service: 'telegram' },
  'blog-search-search___ru': { search: 'code' },
  'blog-category___ru': { category: 'guides' },
  'blog-category-article___ru': { category: 'guides', article: 'rent-or-one-code' },
  'faq-category___ru': { category: 'money' },
  'faq-category-alias___ru': { category: 'money', alias: 'refund' },
}

const CHOSEN = '/?service=tg&country=2'

/** Returns an address of a screen. Throws if its route has no sample values, because it would go unchecked. */
export function addressOf(route: SiteRoute, ticket = 0): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = name === 'ticket' ? String(ticket) : SAMPLES[route.name]?.[name]
    if (value === undefined)
      throw new Error(`${route.name}: test/e2e/support/site-addresses.ts has no sample for :${name}`)
    return value
  })
}

/** Returns an address of every screen, and one that does not exist. `ticket` is the id of the person's ticket. */
export function screenAddresses(access: SiteRoute['access'], ticket = 0): string[] {
  const home = ROUTES.find(({ path }) => path === '/')
  const screens = ROUTES.filter((route) => route.access === access && (route === home || route.screen !== home?.screen))
  const addresses = screens.map((screen) => addressOf(screen, ticket))
  return access === 'public' ? [...addresses, CHOSEN, '/no/such/page'] : addresses
}
