import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import type { PanelMode } from '#web/buying/panel/panel-mode.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { RentMark } from '#web/numbers/rent-ticket/rent-mark.tsx'
import { PeriodStep } from './period-step.tsx'
import { RentSummary } from './rent-summary.tsx'

export const RENT_MODE: PanelMode = {
  name: 'rent',
  calls: {
    services: 'GET /api/rent-services',
    countries: 'GET /api/rent-countries',
    price: 'GET /api/rent-price',
    addFavorite: 'POST /api/rent/add-to-favorite',
    removeFavorite: 'DELETE /api/rent/remove-from-favorite/{type}/{id}',
  },
  words: 'rent.panel',
  terms: ({ periodHours }) => ({ period: periodHours }),
  buy: async ({ api, queryClient }, { input, idempotencyKey }) => {
    const rented = { ...input, period: input.period ?? DEFAULT_RENT_PERIOD_HOURS }
    const { data } = await api('POST /api/v1/rentals', rented, { idempotencyKey })
    applyRecordToCache(queryClient, 'rental', data)
  },
  ServiceMark: RentMark,
  Terms: PeriodStep,
  Summary: RentSummary,
}
