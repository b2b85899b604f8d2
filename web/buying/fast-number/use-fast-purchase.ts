import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '#contract/calls/calls.ts'
import type { User } from '#contract/user.ts'
import { isSaidByButton } from '#web/buying/initial/use-press.ts'
import { askFirst } from '#web/buying/press/ask-first.ts'
import { outcomeOfFailure, type PurchaseOutcome, shortOf } from '#web/buying/press/purchase-outcome.ts'
import { useShowTicket } from '#web/buying/press/use-show-ticket.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { topUpFor } from '#web/navigation/top-up-path.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { type PressedOffer, panelPath } from './fast-offers.ts'

type Bought = Awaited<ReturnType<typeof buy>>

export type FastPurchase = {
  pending: string | null
  outcomes: Readonly<Record<string, PurchaseOutcome>>
  press: (offer: PressedOffer) => void
}

/**
 * Returns a function that buys an offer, one at a time. `onDone` runs before the bought number's ticket or the top-up
 * page is shown.
 */
export function useFastPurchase(onDone: () => void): FastPurchase {
  const app = useAppContext()
  const { api } = app
  const user = useUser()
  const currency = useCurrency()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const navigate = useNavigate()
  const showTicket = useShowTicket()
  const { pending, pay } = usePaidCall<Bought>()
  const [outcomes, setOutcomes] = useState<FastPurchase['outcomes']>({})

  async function press(offer: PressedOffer): Promise<void> {
    const { key } = offer
    const price = priceOf(offer, outcomes)
    if (price === null) return
    const barrier = barrierOf(offer, outcomes, user)
    if (barrier?.kind === 'short') return topUp(offer, barrier.missing)
    const maxPrice = offer.period === null ? (user?.settings.max_price ?? null) : null
    try {
      if (!(await ask(offer, { price, maxPrice }))) return
      const send = (idempotencyKey: string) => buy(api, offer, { price, maxPrice, idempotencyKey })
      const bought = await pay({ about: key, send })
      if (bought === null) return
      if (bought.kind === 'activation') applyRecordToCache(queryClient, 'activation', bought.record)
      else applyRecordToCache(queryClient, 'rental', bought.record)
      onDone()
      showTicket(bought.kind, bought.record.id)
    } catch (error) {
      const { onLine: online } = navigator
      const outcome = outcomeOfFailure(error, { price, balance: user?.balance ?? null, currency, online })
      setOutcomes((before) => ({ ...before, [key]: outcome }))
      if (outcome.kind === 'no-balance') topUp(offer, outcome.missing)
      else if (!isSaidByButton(outcome)) fail(error)
    } finally {
      inBackground(refetch(queryClient, { queryKey: ['user'] }))
    }
  }
  function ask(
    { service, country, period }: PressedOffer,
    most: { price: string; maxPrice: string | null },
  ): Promise<boolean> {
    const kind = period === null ? 'activation' : 'rent'
    return askFirst(app, { kind, service: service.name, country: country.name, ...most, currency })
  }
  function topUp(offer: PressedOffer, missing: string): void {
    onDone()
    inBackground(navigate(topUpFor(panelPath(offer), missing)))
  }
  return { pending, outcomes, press: (offer) => inBackground(press(offer)) }
}

/** Returns the price of the next purchase: of the last PRICE_CHANGED error or of the offer; null if unknown. */
export function priceOf({ key, price }: PressedOffer, outcomes: FastPurchase['outcomes']): string | null {
  const outcome = outcomes[key]
  return outcome?.kind === 'price-changed' ? outcome.price : price
}

/** Returns what prevents a purchase, as far as the page knows: missing money, or the buyer's own price limit. */
export function barrierOf(
  offer: PressedOffer,
  outcomes: FastPurchase['outcomes'],
  user: Pick<User, 'balance' | 'settings'> | null,
): { kind: 'short'; missing: string } | { kind: 'above'; limit: string } | null {
  const price = priceOf(offer, outcomes)
  if (price === null || user === null) return null
  const limit = offer.period === null ? user.settings.max_price : null
  if (limit !== null && shortOf(price, limit) !== null) return { kind: 'above', limit }
  const missing = shortOf(price, user.balance)
  return missing === null ? null : { kind: 'short', missing }
}

async function buy(
  api: Api,
  offer: PressedOffer,
  paid: { price: string; maxPrice: string | null; idempotencyKey: string },
) {
  const { service, country, operator, period } = offer
  const input = {
    service_id: service.id,
    country_id: country.id,
    price: paid.price,
    ...(operator === null ? {} : { operator_id: operator }),
  }
  const options = { idempotencyKey: paid.idempotencyKey }
  if (period === null) {
    const body = paid.maxPrice === null ? input : { ...input, max_price: paid.maxPrice }
    return { kind: 'activation' as const, record: (await api('POST /api/v1/activations', body, options)).data }
  }
  return { kind: 'rental' as const, record: (await api('POST /api/v1/rentals', { ...input, period }, options)).data }
}
