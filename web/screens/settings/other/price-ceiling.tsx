import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { readAmount, writeAmount } from '#web/money/amount-text.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/initial/price.tsx'
import type { PreferenceProps } from './place-settings.tsx'

export function PriceCeiling({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.buying')
  const locale = useLocale()
  const currency = useCurrency()
  const saved = settings.max_price
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  const textId = useId()
  const shown = typed ?? (saved === null ? '' : writeAmount(saved, locale))

  function save(text: string | null): void {
    if (text === null) return
    const price = readAmount(text, locale)
    const isWrong = price === null && text.trim() !== ''
    setWrong(isWrong)
    if (isWrong) return
    setTyped(null)
    if (price !== saved) wish('max_price', price)
  }
  return (
    <div className="max-w-md">
      <TextField
        label={t('maxPrice', { sign: CURRENCY_SIGNS[currency] })}
        inputMode="decimal"
        autoComplete="off"
        className="tabular max-w-44"
        error={wrong ? t('badPrice') : undefined}
        {...(wrong ? {} : { 'aria-describedby': textId })}
        value={shown}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
        onBlur={() => save(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save(typed)
        }}
      />
      <p id={textId} className="mt-1.5 text-sm text-muted">
        {t('maxPriceText')}
      </p>
    </div>
  )
}
