import type { ReactNode } from 'react'
import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import type { StatisticsReply, StatisticsSum } from '#contract/past/history.ts'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { formatDuration } from './figures.ts'

/** The smallest phones have no room for the success rate beside names. The bar shows it. */
const ABOVE_SMALLEST = 'max-[23rem]:hidden'

export function Breakdowns({ data }: { data: StatisticsReply['data'] }) {
  const t = useTranslations('statistic')
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Breakdown
        title={t('byService')}
        column={t('column.service')}
        currency={data.currency}
        rows={data.services.map((sum) => ({ key: sum.id, name: sum.name, icon: <Mark service={sum} />, sum }))}
      />
      <Breakdown
        title={t('byCountry')}
        column={t('column.country')}
        currency={data.currency}
        rows={data.countries.map((sum) => ({
          key: String(sum.id),
          name: sum.name,
          icon: <Flag iso2={sum.iso2} />,
          sum,
        }))}
      />
    </div>
  )
}

type Row = { key: string; name: string; icon: ReactNode; sum: StatisticsSum }
type BreakdownProps = { title: string; column: string; currency: Currency; rows: readonly Row[] }

function Breakdown({ title, column, currency, rows }: BreakdownProps) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const titleId = useId()
  const most = Math.max(1, ...rows.map(({ sum }) => sum.purchases))
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded border border-hairline bg-surface">
      <h2 id={titleId} className="px-4 pt-3 pb-1 font-semibold">
        {title}
      </h2>
      <table className="sum-table" aria-labelledby={titleId}>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col">{t('column.purchases')}</th>
            <th scope="col" className={ABOVE_SMALLEST}>
              {t('column.share')}
            </th>
            <th scope="col" className="max-sm:hidden">
              {t('column.median')}
            </th>
            <th scope="col">{t('column.spent')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, icon, sum }) => (
            <tr key={key}>
              <th scope="row">
                <span className="flex items-center gap-2 sm:gap-2.5">
                  {icon}
                  <span className="min-w-0 flex-1">
                    <span className="line-clamp-2 font-medium whitespace-normal wrap-break-word">{name}</span>
                    <Bar sum={sum} most={most} />
                  </span>
                </span>
              </th>
              <td>{formatCount(sum.purchases, locale)}</td>
              <td className={ABOVE_SMALLEST}>
                {sum.success_share === null ? '—' : formatPercent(sum.success_share, locale)}
              </td>
              <td className="max-sm:hidden">
                {sum.median_seconds === null ? '—' : formatDuration(t, sum.median_seconds)}
              </td>
              <td>{formatMoney(sum.spent, currency, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Bar({ sum, most }: { sum: StatisticsSum; most: number }) {
  return (
    <span aria-hidden className="mt-1 block h-1 rounded-full bg-sunken">
      <span
        className="flex h-full overflow-hidden rounded-full bg-edge"
        style={{ width: `${(sum.purchases / most) * 100}%` }}
      >
        <span className="bg-received" style={{ width: `${(sum.codes / Math.max(1, sum.purchases)) * 100}%` }} />
      </span>
    </span>
  )
}
