import { Mark } from '#web/ui/marks/initial/mark.tsx'
import type { PanelMode } from './panel-mode.ts'

export const ACTIVATION_MODE: PanelMode = {
  name: 'activation',
  calls: {
    services: 'GET /api/services',
    countries: 'GET /api/countries',
    price: 'GET /api/price',
    addFavorite: 'POST /api/activation/add-to-favorite',
    removeFavorite: 'DELETE /api/activation/remove-from-favorite/{type}/{id}',
  },
  words: 'buy',
  terms: () => ({}),
  buy: async ({ api, queryClient }, { input, idempotencyKey }) => {
    // The module loads before the purchase call. A failed import after the call would lose the idempotency key.
    const { applyRecordToCache } = await import('#web/live/apply-to-cache.ts')
    // A buyer who sends `max_price` accepts every price up to it, so the shown price must not be a condition.
    const { price, ...rest } = input
    const body = input.max_price === undefined ? { ...rest, price } : rest
    const { data } = await api('POST /api/v1/activations', body, { idempotencyKey })
    applyRecordToCache(queryClient, 'activation', data)
  },
  ServiceMark: Mark,
  Terms: null,
  Summary: null,
}
