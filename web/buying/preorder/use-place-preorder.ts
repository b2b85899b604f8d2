import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Currency } from '#contract/money.ts'
import type { PreorderInput, PreorderRecord, PreorderReply } from '#contract/preorder.ts'
import { isSaidByButton } from '#web/buying/initial/use-press.ts'
import { askFirst } from '#web/buying/press/ask-first.ts'
import { outcomeOfFailure, type PurchaseOutcome } from '#web/buying/press/purchase-outcome.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { applyPreorderToCache } from '#web/live/apply-preorder.ts'
import { topUpFor } from '#web/navigation/top-up-path.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'

/** `back` is the path to the terms of the pre-order, to which the user returns after a top-up. */
type Asked = { service: string; country: string; currency: Currency; back: string }

type PlacePreorder = {
  pending: boolean
  outcome: PurchaseOutcome | null
  place: (input: PreorderInput, about: Asked) => Promise<PreorderRecord | null>
}

/** Places a pre-order, which holds money. A request without a reply is repeated with its idempotency key. */
export function usePlacePreorder(): PlacePreorder {
  const app = useAppContext()
  const { api } = app
  const user = useUser()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const navigate = useNavigate()
  const { pending, pay } = usePaidCall<PreorderReply>()
  const [outcome, setOutcome] = useState<PurchaseOutcome | null>(null)

  async function place(input: PreorderInput, { back, ...about }: Asked): Promise<PreorderRecord | null> {
    setOutcome(null)
    const { max_price: price } = input
    try {
      if (!(await askFirst(app, { kind: 'preorder', ...about, price, maxPrice: null }))) return null
      const reply = await pay({
        about: JSON.stringify(input),
        send: (idempotencyKey) => api('POST /api/v1/preorders', input, { idempotencyKey }),
      })
      if (reply === null) return null
      applyPreorderToCache(queryClient, reply.data)
      return reply.data
    } catch (error) {
      const shown = { price, balance: user?.balance ?? null, currency: about.currency, online: navigator.onLine }
      const ended = outcomeOfFailure(error, shown)
      setOutcome(ended)
      if (ended.kind === 'no-balance') inBackground(navigate(topUpFor(back, ended.missing)))
      else if (!isSaidByButton(ended)) fail(error)
      return null
    } finally {
      inBackground(refetch(queryClient, { queryKey: ['user'] }))
    }
  }
  return { pending: pending !== null, outcome, place }
}
