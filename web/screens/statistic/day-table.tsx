import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { dayFormat, formatDuration, spansYears } from './figures.ts'

type DayTableProps = {
  data: StatisticsReply['data']
  /** If true, the table is open by default, because the plots failed to load. */
  isNeeded: boolean
}

/** Renders the plots' data as a table, newest day first. Days without a purchase are omitted. */
export function DayTable({ data, isNeeded }: DayTableProps) {
  const t = useTranslations('statistic')
  const [opened, setOpened] = useState(false)
  const open = opened || isNeeded
  return (
    <details
      open={open}
      onToggle={(event) => setOpened(event.currentTarget.open)}
      className="rounded border border-hairline bg-surface"
    >
      <summary className="flex min-h-10 items-center gap-2 px-4 font-medium marker:hidden">
        <ChevronDown size={16} aria-hidden className={`text-muted ${open ? 'rotate-180' : ''}`} />
        {t('byDay')}
      </summary>
      {/* A closed table renders no rows, because there may be hundreds. */}
      {open ? <DayRows data={data} /> : null}
    </details>
  )
}

const COLUMNS = ['day', 'purchases', 'codes', 'share', 'median', 'p90', 'spent'] as const
const LOOKS: Partial<Record<(typeof COLUMNS)[number], string>> = {
  day: 'w-auto max-w-none',
  codes: 'max-sm:hidden',
  p90: 'max-sm:hidden',
  median: 'max-[24rem]:hidden',
}

function DayRows({ data }: { data: StatisticsReply['data'] }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const formatDay = dayFormat(locale, spansYears(data.days))
  const timeOf = (seconds: number | null) => (seconds === null ? '—' : formatDuration(t, seconds))
  const days = data.days.filter(({ purchases }) => purchases > 0).reverse()
  return (
    <section aria-label={t('byDay')} className="border-t border-hairline">
      <table className="sum-table">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={LOOKS[column]}>
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row" className={LOOKS.day}>
                {formatDay(day.day)}
              </th>
              <td>{formatCount(day.purchases, locale)}</td>
              <td className={LOOKS.codes}>{formatCount(day.codes, locale)}</td>
              <td>{day.success_share === null ? '—' : formatPercent(day.success_share, locale)}</td>
              <td className={LOOKS.median}>{timeOf(day.median_seconds)}</td>
              <td className={LOOKS.p90}>{timeOf(day.p90_seconds)}</td>
              <td>{formatMoney(day.spent, data.currency, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
