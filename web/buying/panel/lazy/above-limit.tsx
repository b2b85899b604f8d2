import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { writeMaxPrice } from '#web/buying/panel/max-price-param.ts'
import { useCeiling } from '#web/buying/panel/use-ceiling.ts'
import type { PanelOffer } from '#web/buying/panel/use-offer.ts'
import { readKeptTerms } from '#web/buying/preorder/kept-terms.ts'
import type { PreorderOfferProps } from '#web/buying/preorder/preorder-offer.tsx'
import { useUser } from '#web/house/app-context.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const PreorderOffer = lazyPart(
  async () => (await import('#web/buying/preorder/preorder-offer.tsx')).PreorderOffer,
  <div className="min-h-32" />,
)

type Wanted = Omit<PreorderOfferProps, 'lastPrice' | 'alternatives' | 'similar'>
type AboveLimitProps = { bar: PanelOffer['bar']; wanted: Wanted }

/** Replaces the buy button if the price is above the buyer's limit, and offers a higher limit or a pre-order. */
export function AboveLimit({ bar, wanted }: AboveLimitProps) {
  const [, setParams] = useSearchParams()
  const own = useUser()?.settings.max_price ?? null
  const { ceiling, below } = useCeiling(bar)
  const price = bar.kind === 'priced' ? bar.price : null
  const [raised, setRaised] = useState<{ price: string; limit: string } | null>(null)
  const above = below !== null && price !== null ? { price, limit: below } : raised?.price === ceiling ? raised : null
  function raise(): void {
    if (below === null || price === null) return
    setRaised({ price, limit: below })
    setParams((before) => writeMaxPrice(before, price, own), {
      replace: true,
      preventScrollReset: true,
      flushSync: true,
    })
  }
  if (above === null) return null
  return (
    <WithAllTexts>
      <LimitBox {...above} raised={below === null} onRaise={raise} wanted={wanted} />
    </WithAllTexts>
  )
}

type LimitBoxProps = {
  price: string
  limit: string
  /** True after the user raised the limit. The box keeps its height, so that a second click misses the buy button. */
  raised: boolean
  onRaise: () => void
  wanted: Wanted
}

function LimitBox({ price, limit, raised, onRaise, wanted }: LimitBoxProps) {
  const t = useTranslations('preorder.above')
  const locale = useLocale()
  const [params] = useSearchParams()
  const [open, setOpen] = useState(() => readKeptTerms(params).maxPrice !== null)
  const money = (amount: string) => formatMoney(amount, wanted.currency, locale)
  return (
    <div className="flex flex-col gap-3 border-t border-hairline bg-sunken px-4 py-3" data-above-limit>
      <div role="status" className="min-h-17 text-[14px]">
        <p className="font-semibold">{raised ? t('raised', { price: money(price) }) : t('title')}</p>
        <p className="text-muted">
          {raised ? t('raisedText') : t('text', { price: money(price), limit: money(limit) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={raised} onClick={() => (raised ? undefined : onRaise())}>
          {t('raise', { price: money(price) })}
        </Button>
        <Button className={raised ? 'invisible' : ''} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('preorder', { limit: money(limit) })}
        </Button>
      </div>
      {open && !raised ? <PreorderOffer {...wanted} lastPrice={price} alternatives={[]} similar={[]} /> : null}
    </div>
  )
}
