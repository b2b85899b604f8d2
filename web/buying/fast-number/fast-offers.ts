import type { CountryItem, ServiceItem } from '#contract/catalog.ts'
import type { LatestPurchases } from '#contract/rental.ts'
import { routeNamed } from '#web/navigation/routes.ts'

export type FastOffer = Omit<LatestPurchases['data'][number], 'bought_at'> & { key: string }

/** The part of an offer that a purchase needs. */
export type PressedOffer = Pick<FastOffer, 'key' | 'service' | 'operator' | 'period' | 'price'> & {
  country: Pick<FastOffer['country'], 'id' | 'name'>
}

export const FAVORITE_SERVICES = 4
const FAVORITE_PAIRS_SHOWN = 6
const LATEST_SHOWN = 8

export function latestOffers(replies: readonly LatestPurchases['data'][]): FastOffer[] {
  return replies
    .flat()
    .sort((left, right) => Date.parse(right.bought_at) - Date.parse(left.bought_at))
    .slice(0, LATEST_SHOWN)
    .map(({ bought_at: _, ...offer }) => ({ ...offer, key: keyOf(offer) }))
}

type FavoritePair = { service: Pick<ServiceItem, 'id' | 'name'>; countries: readonly CountryItem[] }

export function favoriteOffers(pairs: readonly FavoritePair[], latest: readonly FastOffer[]): FastOffer[] {
  const known = new Set(latest.map(({ key }) => key))
  return pairs
    .flatMap(({ service, countries }) => countries.map((country) => toOffer(service, country)))
    .filter(({ key, price, count }) => price !== null && count > 0 && !known.has(key))
    .slice(0, FAVORITE_PAIRS_SHOWN)
}

function toOffer(service: FavoritePair['service'], country: CountryItem): FastOffer {
  const offer = {
    service: { id: service.id, name: service.name },
    country: { id: country.id, name: country.name, iso2: country.iso2, dial: country.dial },
    operator: null,
    period: null,
    price: country.price,
    count: country.count,
    success_share: country.success_share,
  }
  return { ...offer, key: keyOf(offer) }
}

function keyOf({ service, country, operator, period }: Omit<FastOffer, 'key'>): string {
  return [service.id, country.id, operator ?? '', period ?? ''].join('/')
}

export function panelPath({ service, country, operator, period }: Omit<PressedOffer, 'key' | 'price'>): string {
  const path = period === null ? '/' : (routeNamed('rent')?.path ?? '/')
  const choice = { service: service.id, country: String(country.id) }
  const rest = { ...(operator === null ? {} : { operator }), ...(period === null ? {} : { period: String(period) }) }
  return `${path}?${new URLSearchParams({ ...choice, ...rest })}`
}
