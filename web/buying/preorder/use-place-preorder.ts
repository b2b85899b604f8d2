import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Currency } from '#contract/money.ts'
import type { PreorderInput, PreorderRecord, PreorderReply } from '#contract/preorder.ts'
import { useApi, useUser } from '#web/app-context.ts'
import { outcomeOfFailure, type PurchaseOutcome } from '#web/buying/press/purchase-outcome.ts'
import { inBackground } from '#web/in-background.ts'
import { applyPreorderToCache } from '#web/live/apply-preorder.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'

type PlacePreorder = {
  pending: boolean
  /** The last press's outcome, when the form has to show it. */
  outcome: PurchaseOutcome | null
  /** null when the pre-order was not placed. */
  place: (input: PreorderInput, currency: Currency) => Promise<PreorderRecord | null>
}

/** Money is held at once, so an unanswered press is repeated under its idempotency key. */
export function usePlacePreorder(): PlacePreorder {
  const api = useApi()
  const user = useUser()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const { pending, pay } = usePaidCall<PreorderReply>()
  const [outcome, setOutcome] = useState<PurchaseOutcome | null>(null)

  async function place(input: PreorderInput, currency: Currency): Promise<PreorderRecord | null> {
    setOutcome(null)
    try {
      const reply = await pay({
        about: JSON.stringify(input),
        send: (idempotencyKey) => api('POST /api/v1/preorders', input, { idempotencyKey }),
      })
      if (reply === null) return null
      applyPreorderToCache(queryClient, reply.data)
      return reply.data
    } catch (error) {
      const shown = { price: input.max_price, balance: user?.balance ?? null, currency }
      const ended = outcomeOfFailure(error, shown)
      setOutcome(ended)
      if (ended.kind === 'failed') fail(error)
      return null
    } finally {
      inBackground(askAgain(queryClient, { queryKey: ['user'] }))
    }
  }
  return { pending: pending !== null, outcome, place }
}
