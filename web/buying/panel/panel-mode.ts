import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'
import type { PurchaseInput } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import type { RentPriceReply } from '#contract/rental.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import type { Press } from '#web/buying/initial/use-press.ts'
import type { AppContext } from '#web/house/app-context.ts'

export type PricedInput = PurchaseInput & { price: string; period?: number }

export type PanelMode = {
  name: 'activation' | 'rent'
  /** The names of the API calls are also query keys, so activations and rentals share no cache entry. */
  calls: {
    services: 'GET /api/services' | 'GET /api/rent-services'
    countries: 'GET /api/countries' | 'GET /api/rent-countries'
    price: 'GET /api/price' | 'GET /api/rent-price'
    addFavorite: 'POST /api/activation/add-to-favorite' | 'POST /api/rent/add-to-favorite'
    removeFavorite:
      | 'DELETE /api/activation/remove-from-favorite/{type}/{id}'
      | 'DELETE /api/rent/remove-from-favorite/{type}/{id}'
  }
  words: 'buy' | 'rent.panel'
  terms: (choice: Choice) => { period?: number }
  /** Buys a number and adds it to the caches. Rejects as the API call does. */
  buy: (app: Pick<AppContext, 'api'> & { queryClient: QueryClient }, press: Press<PricedInput>) => Promise<void>
  ServiceMark: ComponentType<{ service: { id: string; name: string } }>
  Terms: ComponentType<TermsProps> | null
  /** Sums the choice up beside the button. */
  Summary: ComponentType<{ choice: Choice; price: string; currency: Currency }> | null
}

export type TermsProps = {
  choice: Choice
  choose: (choice: Choice) => void
  offered: Partial<RentPriceReply['data']> | null
  stale: boolean
}

export const PanelModeContext = createContext<PanelMode | null>(null)

export function usePanelMode(): PanelMode {
  const mode = useContext(PanelModeContext)
  if (mode === null) throw new Error('a part of the panel was rendered outside it')
  return mode
}
