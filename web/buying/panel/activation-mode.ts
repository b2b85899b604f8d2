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
    // The module loads before the call, because a failed import after it would lose the idempotency key of a purchase.
    const { applyRecordToCache } = await import('#web/live/apply-to-cache.ts')
    // With max_price the buyer accepts any price up to it, so the shown price must not be a condition.
    const { price, ...rest } = input
    const body = input.max_price === undefined ? { ...rest, price } : rest
    const { data } = await api('POST /api/v1/activations', body, { idempotencyKey })
    applyRecordToCache(queryClient, 'activation', data)
  },
  ServiceMark: Mark,
  Terms: null,
}
