import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ActivationRecord, PurchaseInput } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import { useApi, useUser } from '../../frame.ts'
import { routeNamed } from '../../routes.ts'
import { useFailure } from '../../session/failure.ts'
import { newId } from '../../session/new-id.ts'
import { outcomeOfFailure, type PurchaseOutcome } from './purchase-outcome.ts'

type PricedInput = PurchaseInput & { price: string }
/** One press: the key belongs to exactly this input, so a repeat sends both again, whatever the price is by then. */
type Press = { choiceKey: string; input: PricedInput; idempotencyKey: string }

export type Purchase = {
  pending: boolean
  /** How the last press for this very choice ended, when the panel has to say something about it. */
  outcome: PurchaseOutcome | null
  buy: (input: PricedInput, currency: Currency) => void
}

/**
 * Buying, one press at a time. Each press has a key of its own. A press whose answer never came keeps it: repeating the
 * same purchase brings the answer of the first instead of a second number. `choiceKey` names the choice: an outcome is
 * about the choice it was pressed for, and is gone when that changes.
 */
export function usePurchase(choiceKey: string, onBought: (record: ActivationRecord) => void): Purchase {
  const api = useApi()
  const user = useUser()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  const [ended, setEnded] = useState<{ choiceKey: string; outcome: PurchaseOutcome } | null>(null)
  const busy = useRef(false)
  const unanswered = useRef<Press | null>(null)

  async function buy(input: PricedInput, currency: Currency): Promise<void> {
    if (busy.current) return
    busy.current = true
    const repeated = unanswered.current?.choiceKey === choiceKey ? unanswered.current : null
    const press = repeated ?? { choiceKey, input, idempotencyKey: newId() }
    setPending(true)
    setEnded(null)
    try {
      // No visitor needs it, and where tickets are shown it is here. Before the call: without it nothing is bought, and
      // a press that went out has it, so that its key cannot be lost here.
      const { applyRecordToCache } = await import('../../live/apply-to-cache.ts')
      const { data } = await api('POST /api/v1/activations', press.input, { idempotencyKey: press.idempotencyKey })
      unanswered.current = null
      applyRecordToCache(queryClient, data)
      onBought(data)
    } catch (error) {
      const outcome = outcomeOfFailure(error, { price: press.input.price, balance: user?.balance ?? null, currency })
      unanswered.current = outcome.kind === 'unknown' ? press : null
      setEnded({ choiceKey, outcome })
      if (!isSaidByPanel(outcome)) fail(error)
    } finally {
      busy.current = false
      setPending(false)
      // Money and stock have changed, or are not what they seemed.
      for (const key of ['user', 'price', 'countries', 'services'])
        void queryClient.invalidateQueries({ queryKey: [key] })
    }
  }

  return {
    pending,
    outcome: ended?.choiceKey === choiceKey ? ended.outcome : null,
    buy: (input, currency) => void buy(input, currency),
  }
}

/** Whether the words beside the button are enough. Without money the person is led to the top-up page once there is one. */
function isSaidByPanel(outcome: PurchaseOutcome): boolean {
  switch (outcome.kind) {
    case 'price-changed':
    case 'no-numbers':
      return true
    case 'no-balance':
      return routeNamed('top-up') === undefined
    case 'unknown':
    case 'failed':
      return false
    default:
      return outcome satisfies never
  }
}
