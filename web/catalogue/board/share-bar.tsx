import { useLocale, useTranslations } from 'use-intl'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { heatOf } from './board-rows.ts'

/** Renders a share of codes as a figure and a bar, whose tint tells the share's step at a glance. */
export function ShareBar({ share }: { share: number | null }) {
  const t = useTranslations('directory')
  const locale = useLocale()
  if (share === null) return <span className="text-[13px] text-muted">{t('notMeasured')}</span>
  return (
    <span className="share-bar tabular" data-heat={heatOf(share)}>
      <span className="share-figure">{formatPercent(share, locale)}</span>
      <span aria-hidden className="share-track">
        <span className="share-fill" style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  )
}
