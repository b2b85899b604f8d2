import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import { readMaxPrice, writeMaxPrice } from '#web/buying/panel/max-price-param.ts'
import { useCeiling } from '#web/buying/panel/use-ceiling.ts'
import type { PanelOffer } from '#web/buying/panel/use-offer.ts'
import type { PanelLists } from '#web/buying/picker/pickers.tsx'
import { useUser } from '#web/house/app-context.ts'
import { readAmount, writeAmount } from '#web/money/amount-text.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/initial/price.tsx'
import { AboveLimit } from './above-limit.tsx'

type MaxPriceProps = { choice: Choice; lists: PanelLists; offer: PanelOffer }

/** Renders the field for the price limit, which is in the URL. A purchase within the limit needs no confirmation. */
export function MaxPrice(props: MaxPriceProps) {
  return (
    <WithAllTexts>
      <MaxPriceFold {...props} />
    </WithAllTexts>
  )
}

function MaxPriceFold({ choice, lists, offer }: MaxPriceProps) {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const currency = useCurrency()
  const [params, setParams] = useSearchParams()
  const own = useUser()?.settings.max_price ?? null
  const maxPrice = readMaxPrice(params, own)
  const [typed, setTyped] = useState(maxPrice === null ? '' : writeAmount(maxPrice, locale))

  const { below } = useCeiling(offer.bar)
  const price = offer.bar.kind === 'priced' ? offer.bar.price : null
  const [raised, setRaised] = useState<{ price: string; limit: string } | null>(null)
  const above = below !== null && price !== null ? { price, limit: below } : raised?.price === maxPrice ? raised : null

  function change(text: string): void {
    setTyped(text)
    const next = readAmount(text, locale)
    if (next === maxPrice) return
    setParams((before) => writeMaxPrice(before, next, own), {
      replace: true,
      preventScrollReset: true,
      flushSync: true,
    })
  }
  function raise(): void {
    if (below === null || price === null) return
    setRaised({ price, limit: below })
    change(writeAmount(price, locale))
  }
  const wrong = typed.trim() !== '' && readAmount(typed, locale) === null
  return (
    <>
      <details className="px-4 pb-1 text-[14px]">
        <summary className="inline-flex min-h-10 items-center pl-9 text-muted underline underline-offset-4">
          {maxPrice === null ? t('maxSummary') : t('maxSet', { price: formatMoney(maxPrice, currency, locale) })}
        </summary>
        <label className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5 pb-2 pl-9">
          <span className="col-span-2 text-sm font-medium">{t('maxPrice', { sign: CURRENCY_SIGNS[currency] })}</span>
          <input
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={wrong}
            className={`tabular h-10 w-24 shrink-0 rounded border bg-paper px-3 text-[15px] ${wrong ? 'border-error' : 'border-edge'}`}
            value={typed}
            onChange={(event) => change(event.target.value)}
          />
          <span aria-live="polite" className={`text-[13px] leading-snug ${wrong ? 'text-error' : 'text-muted'}`}>
            {wrong ? t('badPrice') : t('maxText')}
          </span>
        </label>
      </details>
      {above !== null && lists.service !== null && lists.country !== null ? (
        <AboveLimit
          {...above}
          raised={below === null}
          onRaise={raise}
          wanted={{
            serviceId: lists.service.id,
            countryId: lists.country.id,
            operatorId: choice.operatorId,
            names: { service: lists.service.name, country: lists.country.name },
            currency,
          }}
        />
      ) : null}
    </>
  )
}
