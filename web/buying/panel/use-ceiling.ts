import { parseDecimal } from '#contract/money.ts'
import { useSession, useUser } from '#web/house/app-context.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import type { BuyOffer } from './buy-bar.tsx'
import { readMaxPrice } from './max-price-param.ts'
import { usePanelMode } from './panel-mode.ts'

/** Returns the buyer's price limit, if any, as `ceiling`. `below` is that limit if the price exceeds it, or null. */
export function useCeiling(bar: BuyOffer): { ceiling: string | null; below: string | null } {
  const { name } = usePanelMode()
  const { signedIn } = useSession()
  const [params] = useSearchParams()
  const own = useUser()?.settings.max_price ?? null
  const ceiling = signedIn && name === 'activation' ? readMaxPrice(params, own) : null
  const isBelow =
    ceiling !== null && bar.kind === 'priced' && (parseDecimal(ceiling) ?? 0n) < (parseDecimal(bar.price) ?? 0n)
  return { ceiling, below: isBelow ? ceiling : null }
}
