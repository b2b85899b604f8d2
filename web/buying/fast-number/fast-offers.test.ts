import { expect, it } from 'vitest'
import type { CountryItem } from '#contract/catalog.ts'
import type { LatestPurchases } from '#contract/rental.ts'
import { favoriteOffers, latestOffers } from './fast-offers.ts'

type Purchase = LatestPurchases['data'][number]

const measured = { price: '12.00', count: 5, success_share: 0.9 }
const kazakhstan = { id: 2, name: 'Kazakhstan', iso2: 'kz', dial: '7' }

function purchase(change: Partial<Purchase>): Purchase {
  const bought_at = '2026-05-01T12:00:00.000Z'
  const what = { service: { id: 'tg', name: 'Telegram' }, country: kazakhstan, operator: null, period: null }
  return { ...what, ...measured, bought_at, ...change }
}
const country = (change: Partial<CountryItem> = {}): CountryItem => {
  return { ...kazakhstan, ...measured, median_seconds: 8, is_favorite: true, ...change }
}

it('mixes both kinds of purchases, the newest first', () => {
  const activations = [purchase({ bought_at: '2026-05-01T12:00:00.000Z' })]
  const rentals = [
    purchase({ period: 24, bought_at: '2026-05-01T13:00:00.000Z' }),
    purchase({ period: 4, bought_at: '2026-05-01T11:00:00.000Z' }),
  ]
  expect(latestOffers([activations, rentals]).map(({ key }) => key)).toEqual(['tg/2//24', 'tg/2//', 'tg/2//4'])
})

it('shows no more than eight purchases', () => {
  const many = Array.from({ length: 12 }, (_, index) => purchase({ operator: `operator-${index}` }))
  expect(latestOffers([many])).toHaveLength(8)
})

it('pairs favourites that are in stock and not among the last purchases', () => {
  const latest = latestOffers([[purchase({})]])
  const offers = favoriteOffers(
    [
      { service: { id: 'tg', name: 'Telegram' }, countries: [country(), country({ id: 6, name: 'Indonesia' })] },
      { service: { id: 'wa', name: 'WhatsApp' }, countries: [country({ price: null, count: 0 }), country({ id: 7 })] },
    ],
    latest,
  )
  expect(offers.map(({ key }) => key)).toEqual(['tg/6//', 'wa/7//'])
})

it('offers a favourite pair whose number of one operator was bought: it is another thing', () => {
  const latest = latestOffers([[purchase({ operator: 'altel' })]])
  const pairs = [{ service: { id: 'tg', name: 'Telegram' }, countries: [country()] }]
  expect(favoriteOffers(pairs, latest).map(({ key }) => key)).toEqual(['tg/2//'])
})
