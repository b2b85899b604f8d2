import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { formatDuration, spentPerPurchase } from './figures.ts'

export function Tiles({ data }: { data: StatisticsReply['data'] | undefined }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const total = data?.total
  const timeOf = (seconds: number | null | undefined) => (seconds == null ? null : formatDuration(t, seconds))
  const average = total === undefined ? null : spentPerPurchase(total)
  const money = (amount: string) => formatMoney(amount, data?.currency ?? 'rub', locale)
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded border border-hairline bg-hairline lg:grid-cols-5">
      <Tile
        name={t('tile.purchases')}
        value={total && formatCount(total.purchases, locale)}
        note={total === undefined ? null : t('tile.codes', { count: total.codes })}
      />
      <Tile
        name={t('tile.spent')}
        value={total && money(total.spent)}
        note={average === null ? null : t('tile.perPurchase', { amount: money(average) })}
      />
      <Tile
        name={t('tile.share')}
        value={total && (total.success_share === null ? null : formatPercent(total.success_share, locale))}
        note={
          total === undefined || total.activations === 0
            ? null
            : t('tile.ofActivations', { codes: total.codes, count: total.activations })
        }
      />
      <Tile name={t('tile.median')} value={total && timeOf(total.median_seconds)} />
      <Tile name={t('tile.p90')} value={total && timeOf(total.p90_seconds)} className="max-lg:col-span-2" />
    </dl>
  )
}

type TileProps = {
  name: string
  /** The value is undefined until loaded, and null if nothing was measured. */
  value: string | null | undefined
  note?: ReactNode
  className?: string
}

function Tile({ name, value, note, className = '' }: TileProps) {
  const t = useTranslations('statistic')
  return (
    <div className={`flex flex-col bg-surface px-4 py-3 ${note === undefined ? 'min-h-20' : 'min-h-24'} ${className}`}>
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="tabular text-2xl leading-9 font-semibold">
        {value === undefined ? (
          <Skeleton className="my-1.5 h-6 w-24" />
        ) : value === null ? (
          <span className="text-base font-normal text-muted">{t('tile.none')}</span>
        ) : (
          value
        )}
        {note == null ? null : <span className="block text-[13px] leading-tight font-normal text-muted">{note}</span>}
      </dd>
    </div>
  )
}
