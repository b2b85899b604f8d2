import { useEffect } from 'react'
import type { OperatorItem } from '#contract/catalog.ts'
import type { Currency } from '#contract/money.ts'
import { ANY_OPERATOR, type Choice, effectiveOperator } from '#web/buying/initial/choice.ts'
import { usePrice } from '#web/buying/picker/catalog-queries.ts'
import type { PanelLists } from '#web/buying/picker/pickers.tsx'
import { inBackground } from '#web/house/in-background.ts'
import type { BuyOffer } from './buy-bar.tsx'
import type { PanelSeed } from './load-panel.ts'
import type { TermsProps } from './panel-mode.ts'

export type PanelOffer = {
  bar: BuyOffer
  /** The operators of the offer; empty until the price is known. The first operator is always `any`. */
  operators: readonly OperatorItem[]
  operatorId: string
  currency: Currency | null
  outOfStock: boolean
  /** The API reply with the prices. `stale` means that the reply belongs to an earlier choice. */
  offered: TermsProps['offered']
  stale: boolean
}

export function useOffer(choice: Choice, lists: PanelLists, seed: PanelSeed): PanelOffer {
  const query = usePrice(choice, seed, lists.service !== null && lists.country !== null)
  const data = query.data?.data
  const operators = data?.operators ?? []
  const operatorId = effectiveOperator(operators, choice.operatorId)
  const stale = query.isPlaceholderData
  const rest = { operators, operatorId, currency: data?.currency ?? null, offered: data ?? null, stale }
  if (lists.service === null || lists.country === null) {
    return { ...rest, bar: { kind: 'incomplete', missing: missingOf(lists) }, outOfStock: false }
  }
  if (data === undefined || stale) {
    const bar: BuyOffer = query.isError
      ? { kind: 'failed', retry: () => inBackground(query.refetch()) }
      : { kind: 'loading' }
    return { ...rest, bar, outOfStock: false }
  }
  const sold = data.price !== null && data.count > 0
  const bar: BuyOffer =
    sold && data.price !== null ? { kind: 'priced', price: data.price, currency: data.currency } : { kind: 'loading' }
  return { ...rest, bar, outOfStock: !sold }
}

/** Removes an operator that is not offered from the URL, so that the price is requested for any operator. */
export function useOfferedOperator(choice: Choice, offer: PanelOffer, choose: (choice: Choice) => void): void {
  const { operatorId, operators, stale } = offer
  const isMissing = !stale && operators.length > 0 && choice.operatorId !== operatorId
  useEffect(() => {
    if (!isMissing) return
    let gone = false
    // `choose` renders at once, which React forbids within an effect, so a microtask calls it.
    queueMicrotask(() => (gone ? undefined : choose({ ...choice, operatorId: ANY_OPERATOR })))
    return () => {
      gone = true
    }
  }, [isMissing, choice, choose])
}

function missingOf({ service, country }: PanelLists): 'both' | 'service' | 'country' {
  if (service === null && country === null) return 'both'
  return service === null ? 'service' : 'country'
}
