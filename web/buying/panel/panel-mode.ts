import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'
import type { PurchaseInput } from '#contract/activation.ts'
import type { RentPriceReply } from '#contract/rental.ts'
import type { AppContext } from '#web/app-context.ts'
import type { Choice } from '#web/buying/picker/choice.ts'
import type { Press } from '#web/buying/press/use-press.ts'

/** What a press sends. A rental takes its period besides, which is a part of the choice and so of the input. */
export type PricedInput = PurchaseInput & { price: string; period?: number }

/** What the panel buys: a number for a code, or a rented one. All that differs between the two stands in such an object. */
export type PanelMode = {
  name: 'activation' | 'rent'
  /** The calls behind the panel. Lists and prices are remembered by their names, so that the modes never mix. */
  calls: {
    services: 'GET /api/services' | 'GET /api/rent-services'
    countries: 'GET /api/countries' | 'GET /api/rent-countries'
    price: 'GET /api/price' | 'GET /api/rent-price'
    addFavorite: 'POST /api/activation/add-to-favorite' | 'POST /api/rent/add-to-favorite'
    removeFavorite:
      | 'DELETE /api/activation/remove-from-favorite/{type}/{id}'
      | 'DELETE /api/rent/remove-from-favorite/{type}/{id}'
  }
  /** The texts that speak of buying or of renting; all others are those of `buy`. */
  words: 'buy' | 'rent.panel'
  /** What lists and prices are asked for besides a service and a country: how long it is rented for. */
  terms: (choice: Choice) => { period?: number }
  /** Buys, and puts the new number where numbers are shown. Fails as the call does. */
  buy: (app: Pick<AppContext, 'api'> & { queryClient: QueryClient }, press: Press<PricedInput>) => Promise<void>
  ServiceMark: ComponentType<{ service: { id: string; name: string } }>
  /** The step between country and operator; null when there is none. */
  Terms: ComponentType<TermsProps> | null
}

export type TermsProps = {
  choice: Choice
  choose: (choice: Choice) => void
  /** What the chosen service and country cost, as the call for the price answered; null until that is known. */
  offered: Partial<RentPriceReply['data']> | null
  /** It belongs to an earlier choice. */
  stale: boolean
}

export const PanelModeContext = createContext<PanelMode | null>(null)

export function usePanelMode(): PanelMode {
  const mode = useContext(PanelModeContext)
  if (mode === null) throw new Error('a part of the panel was rendered outside it')
  return mode
}
