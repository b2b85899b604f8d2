import { Mark } from '#web/ui/marks/mark.tsx'
import type { PanelMode } from './panel-mode.ts'

/** The panel that buys a number for one code. */
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
    // No visitor needs it, and where tickets are shown it is here. Before the call: without it nothing is bought, and
    // a press that went out has it, so that its key cannot be lost here.
    const { applyRecordToCache } = await import('#web/live/apply-to-cache.ts')
    // With a ceiling of his own the buyer agrees to any price up to it, not only to the one he saw.
    const { price, ...rest } = input
    const body = input.max_price === undefined ? { ...rest, price } : rest
    const { data } = await api('POST /api/v1/activations', body, { idempotencyKey })
    applyRecordToCache(queryClient, 'activation', data)
  },
  ServiceMark: Mark,
  Terms: null,
}
