import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { changeWords, formatDuration, pointsWords, soonerWords, spentPerPurchase, type Words } from './figures.ts'

export function Tiles({ data }: { data: StatisticsReply['data'] | undefined }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const total = data?.total
  const timeOf = (seconds: number | null | undefined) => (seconds == null ? null : formatDuration(t, seconds))
  const average = total === undefined ? null : spentPerPurchase(total)
  const money = (amount: string) => formatMoney(amount, data?.currency ?? 'rub', locale)
  const change = data === undefined ? null : changesOf(data, t, locale)
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded border border-hairline bg-hairline lg:grid-cols-5">
      <Tile
        name={t('tile.purchases')}
        value={total && formatCount(total.purchases, locale)}
        note={total === undefined ? null : t('tile.codes', { count: total.codes })}
        change={change?.purchases}
      />
      <Tile
        name={t('tile.spent')}
        value={total && money(total.spent)}
        note={average === null ? null : t('tile.perPurchase', { amount: money(average) })}
        change={change?.spent}
      />
      <Tile
        name={t('tile.share')}
        value={total && (total.success_share === null ? null : formatPercent(total.success_share, locale))}
        note={
          total === undefined || total.activations === 0
            ? null
            : t('tile.ofActivations', { codes: total.codes, count: total.activations })
        }
        change={change?.share}
      />
      <Tile name={t('tile.median')} value={total && timeOf(total.median_seconds)} change={change?.median} />
      <Tile
        name={t('tile.p90')}
        value={total && timeOf(total.p90_seconds)}
        change={change?.p90}
        className="max-lg:col-span-2"
      />
    </dl>
  )
}

/** Says how each figure differs from the period before. Nothing is said if nothing happened in one of the periods. */
function changesOf({ total, before, days }: StatisticsReply['data'], t: Words, locale: string) {
  const past = before.total
  if (past.purchases === 0 || total.purchases === 0) return null
  const than = (change: string | null) => (change === null ? null : t('delta.than', { change, days: days.length }))
  return {
    purchases: than(changeWords(total.purchases, past.purchases, locale)),
    spent: than(changeWords(Number(total.spent), Number(past.spent), locale)),
    share: than(pointsWords(t, total.success_share, past.success_share)),
    median: soonerWords(t, total.median_seconds, past.median_seconds),
    p90: soonerWords(t, total.p90_seconds, past.p90_seconds),
  }
}

type TileProps = {
  name: string
  /** The value is undefined until loaded, and null if nothing was measured. */
  value: string | null | undefined
  note?: ReactNode
  change?: string | null | undefined
  className?: string
}

function Tile({ name, value, note, change, className = '' }: TileProps) {
  const t = useTranslations('statistic')
  return (
    <div className={`flex flex-col bg-surface px-4 py-3 min-h-28 ${className}`}>
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="tabular text-2xl leading-9 font-semibold max-[359px]:text-lg">
        {value === undefined ? (
          <Skeleton className="my-1.5 h-6 w-24" />
        ) : value === null ? (
          <span className="text-base font-normal text-muted">{t('tile.none')}</span>
        ) : (
          value
        )}
        {note == null ? null : <span className="block text-[13px] leading-tight font-normal text-muted">{note}</span>}
        {change == null ? null : (
          <span className="block text-[13px] leading-tight font-normal text-muted" data-change>
            {change}
          </span>
        )}
      </dd>
    </div>
  )
}
