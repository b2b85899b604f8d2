import { useQueryClient } from '@tanstack/react-query'
import type { Choice } from '#web/buying/initial/choice.ts'
import { asker, type Pressing, usePress } from '#web/buying/initial/use-press.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'
import { type PricedInput, usePanelMode } from './panel-mode.ts'

export type Purchase = Pressing<PricedInput>

export function usePurchase(
  choice: Choice,
  names: { service: string; country: string },
  onBought: () => void,
): Purchase {
  const app = useAppContext()
  const { api } = app
  const mode = usePanelMode()
  const queryClient = useQueryClient()
  return usePress({
    about: JSON.stringify(choice),
    send: (press) => mode.buy({ api, queryClient }, press),
    ask: async ({ price, max_price: maxPrice = null }, currency) =>
      (await asker()).askFirst(app, { kind: mode.name, ...names, price, maxPrice, currency }),
    onDone: onBought,
    onSettled: () => {
      const { services, countries, price } = mode.calls
      for (const key of ['user', price, countries, services]) {
        inBackground(refetch(queryClient, { queryKey: [key] }))
      }
    },
  })
}
