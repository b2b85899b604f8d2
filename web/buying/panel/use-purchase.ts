import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '#web/app-context.ts'
import type { Choice } from '#web/buying/first/choice.ts'
import { type Pressing, usePress } from '#web/buying/first/use-press.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { type PricedInput, usePanelMode } from './panel-mode.ts'

export type Purchase = Pressing<PricedInput>

export function usePurchase(choice: Choice, onBought: () => void): Purchase {
  const api = useApi()
  const mode = usePanelMode()
  const queryClient = useQueryClient()
  return usePress({
    about: JSON.stringify(choice),
    send: (press) => mode.buy({ api, queryClient }, press),
    onDone: onBought,
    onSettled: () => {
      const { services, countries, price } = mode.calls
      for (const key of ['user', price, countries, services]) {
        inBackground(askAgain(queryClient, { queryKey: [key] }))
      }
    },
  })
}
