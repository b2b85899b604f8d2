import { ROUTES, type SiteRoute } from '#web/navigation/routes.ts'

/** What stands for the parameters of an address; `{category}` alone would not say of what. By the name of the route. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'country-country___ru': { country: 'kazakhstan' },
  'service-service___ru': { service: 'telegram' },
  'blog-search-search___ru': { search: 'code' },
  'blog-category___ru': { category: 'guides' },
  'blog-category-article___ru': { category: 'guides', article: 'rent-or-one-code' },
  'faq-category___ru': { category: 'money' },
  'faq-category-alias___ru': { category: 'money', alias: 'refund' },
}

/** Home with a number chosen. */
const CHOSEN = '/?service=tg&country=2'

/** An address of a screen. Throws for a route whose parameters nobody has given a sample: it would not be looked at. */
export function addressOf(route: SiteRoute, ticket = 0): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = name === 'ticket' ? String(ticket) : SAMPLES[route.name]?.[name]
    if (value === undefined)
      throw new Error(`${route.name}: test/e2e/support/site-addresses.ts has no sample for :${name}`)
    return value
  })
}

/**
 * Every screen with one address of it, and the page that stands for all that are not there. Home has other addresses,
 * which it leaves at once for its own. `ticket`: the one that the person who looks has written.
 */
export function screenAddresses(access: SiteRoute['access'], ticket = 0): string[] {
  const home = ROUTES.find(({ path }) => path === '/')
  const screens = ROUTES.filter((route) => route.access === access && (route === home || route.screen !== home?.screen))
  const addresses = screens.map((screen) => addressOf(screen, ticket))
  return access === 'public' ? [...addresses, CHOSEN, '/no/such/page'] : addresses
}
