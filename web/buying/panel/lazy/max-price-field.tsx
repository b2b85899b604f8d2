import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { readMaxPrice, writeMaxPrice } from '#web/buying/panel/max-price-param.ts'
import { useUser } from '#web/house/app-context.ts'
import { readAmount, writeAmount } from '#web/money/amount-text.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/initial/price.tsx'

/** Renders the field for the price limit, which is in the URL. A purchase within the limit needs no confirmation. */
export function MaxPriceField() {
  return (
    <WithAllTexts>
      <Field />
    </WithAllTexts>
  )
}

function Field() {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const currency = useCurrency()
  const hintId = useId()
  const [params, setParams] = useSearchParams()
  const own = useUser()?.settings.max_price ?? null
  const maxPrice = readMaxPrice(params, own)
  const written = maxPrice === null ? '' : writeAmount(maxPrice, locale)
  const [typed, setTyped] = useState({ text: written, of: maxPrice })
  // Another part of the panel may raise the limit, and the field then shows the raised limit.
  if (typed.of !== maxPrice) setTyped({ text: written, of: maxPrice })

  function change(text: string): void {
    const next = readAmount(text, locale)
    setTyped({ text, of: next })
    if (next === maxPrice) return
    setParams((before) => writeMaxPrice(before, next, own), {
      replace: true,
      preventScrollReset: true,
      flushSync: true,
    })
  }
  const wrong = typed.text.trim() !== '' && readAmount(typed.text, locale) === null
  return (
    <div className="px-4 pb-2">
      <label className="flex items-center justify-between gap-3">
        <span className="text-sm font-medium">{t('maxPrice', { sign: CURRENCY_SIGNS[currency] })}</span>
        <input
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={hintId}
          className={`tabular h-10 w-24 shrink-0 rounded border bg-paper px-3 text-right text-[15px] ${wrong ? 'border-error' : 'border-edge'}`}
          value={typed.text}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      <p
        id={hintId}
        aria-live="polite"
        className={`mt-1 text-[13px] leading-snug ${wrong ? 'text-error' : 'text-muted'}`}
      >
        {wrong ? t('badPrice') : t('maxText')}
      </p>
    </div>
  )
}
