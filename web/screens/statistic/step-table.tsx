import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import { useTimeZone } from '#web/past/time-zone.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { formatDuration, readerOf, spansYears, stepsOf } from './figures.ts'

type StepTableProps = {
  data: StatisticsReply['data']
  /** If true, the table is open by default, because the plots failed to load. */
  isNeeded: boolean
}

/** Renders the plots' data as a table, newest first. Hours or days without a purchase are omitted. */
export function StepTable({ data, isNeeded }: StepTableProps) {
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
        {t(data.hours === null ? 'byDay' : 'byHour')}
      </summary>
      {/* A closed table renders no rows, because there may be hundreds. */}
      {open ? <StepRows data={data} /> : null}
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

function StepRows({ data }: { data: StatisticsReply['data'] }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const timeZone = useTimeZone() ?? 'UTC'
  const isHourly = data.hours !== null
  const reader = readerOf(data, { locale, timeZone })
  const formatStep = isHourly || spansYears(data.days) ? reader.long : reader.short
  const timeOf = (seconds: number | null) => (seconds === null ? '—' : formatDuration(t, seconds))
  const steps = stepsOf(data)
    .filter(({ purchases }) => purchases > 0)
    .reverse()
  return (
    <section aria-label={t(isHourly ? 'byHour' : 'byDay')} className="border-t border-hairline">
      <table className="sum-table">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={LOOKS[column]}>
                {t(`column.${column === 'day' && isHourly ? 'hour' : column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.at}>
              <th scope="row" className={LOOKS.day}>
                {formatStep(step.at)}
              </th>
              <td>{formatCount(step.purchases, locale)}</td>
              <td className={LOOKS.codes}>{formatCount(step.codes, locale)}</td>
              <td>{step.success_share === null ? '—' : formatPercent(step.success_share, locale)}</td>
              <td className={LOOKS.median}>{timeOf(step.median_seconds)}</td>
              <td className={LOOKS.p90}>{timeOf(step.p90_seconds)}</td>
              <td>{formatMoney(step.spent, data.currency, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
