import { useLocale, useTranslations } from 'use-intl'
import { formatPercent } from './measured-words.ts'

type Measured = { success_share: number | null; median_seconds: number | null }

/** How often a code came and how fast, as measured. Nothing when too few purchases were: a guess would be worse. */
export function SuccessShare({ measured, className = '' }: { measured: Measured; className?: string }) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const { success_share: share, median_seconds: seconds } = measured
  if (share === null) return null
  const percent = formatPercent(share, locale)
  return (
    <span className={`tabular whitespace-nowrap ${className}`} title={t('shareTip')}>
      <span className="sr-only">{t('shareLabel', { percent })}</span>
      <span aria-hidden>{percent}</span>
      {seconds === null ? null : <span> · {t('medianSeconds', { seconds: Math.max(1, Math.round(seconds)) })}</span>}
    </span>
  )
}
