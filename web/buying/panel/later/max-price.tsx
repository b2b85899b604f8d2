import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useUser } from '#web/app-context.ts'
import { readAmount, writeAmount } from '#web/buying/preorder/preorder-terms.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/first/price.tsx'
import { readMaxPrice, writeMaxPrice } from '../max-price-param.ts'

/** Up to this price a purchase needs no confirmation. The address holds it. */
export function MaxPrice() {
  return (
    <WithAllTexts>
      <MaxPriceFold />
    </WithAllTexts>
  )
}

function MaxPriceFold() {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const currency = useCurrency()
  const [params, setParams] = useSearchParams()
  const own = useUser()?.settings.max_price ?? null
  const maxPrice = readMaxPrice(params, own)
  const [typed, setTyped] = useState(maxPrice === null ? '' : writeAmount(maxPrice, locale))

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
  const wrong = typed.trim() !== '' && readAmount(typed, locale) === null
  return (
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
  )
}
