import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { readKeptTerms } from '#web/buying/preorder/kept-terms.ts'
import type { PreorderOfferProps } from '#web/buying/preorder/preorder-offer.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const PreorderOffer = lazyPart(
  async () => (await import('#web/buying/preorder/preorder-offer.tsx')).PreorderOffer,
  <div className="min-h-32" />,
)

export type AboveLimitProps = {
  price: string
  limit: string
  /** True after the user raised the limit. The box keeps its height, so that a second click misses the buy button. */
  raised: boolean
  onRaise: () => void
  wanted: Omit<PreorderOfferProps, 'lastPrice' | 'alternatives' | 'similar'>
}

/** Replaces the buy button if the price is above the buyer's limit, and offers a higher limit or a pre-order. */
export function AboveLimit({ price, limit, raised, onRaise, wanted }: AboveLimitProps) {
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
