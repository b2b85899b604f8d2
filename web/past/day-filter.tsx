import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type DaysChoice, FIRST_DAY, type Period, rangeOf } from './past-days.ts'
import { useToday } from './time-zone.ts'

type DayFilterProps = {
  choice: DaysChoice
  offered: readonly Period[]
  fallback: Period
  onChoose: (choice: DaysChoice) => void
}

const SEGMENT =
  'min-w-10 flex-auto border-hairline px-1 text-[12px] min-[360px]:px-2 min-[360px]:text-[14px] whitespace-nowrap text-muted not-first-of-type:border-l first-of-type:rounded-l-[9px] last-of-type:rounded-r-[9px] hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-sunken aria-pressed:font-semibold aria-pressed:text-ink sm:px-3'

export function PeriodSegments({ choice, offered, onChoose }: DayFilterProps) {
  const t = useTranslations('history')
  return (
    <fieldset className="flex h-10 flex-1 rounded border border-edge bg-paper max-sm:h-11 sm:flex-none">
      <legend className="sr-only">{t('period.label')}</legend>
      {offered.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={choice.kind === 'period' && choice.period === period}
          className={SEGMENT}
          onClick={() => onChoose({ kind: 'period', period })}
        >
          {t(`period.${period}`)}
        </button>
      ))}
    </fieldset>
  )
}

/** Renders date fields, which also show the dates of a chosen period, so that the reader can change one date. */
export function DateFields({ choice, fallback, onChoose }: DayFilterProps) {
  const t = useTranslations('history')
  const range = rangeOf(choice, useToday()) ?? {}
  const from = range.from ?? ''
  const to = range.to ?? ''
  const pick = (dates: { from: string; to: string }) => {
    const emptied = dates.from === '' && dates.to === ''
    onChoose(
      emptied
        ? { kind: 'period', period: fallback }
        : { kind: 'picked', from: dates.from || null, to: dates.to || null },
    )
  }
  // If the first date becomes later than the last date, the last date moves to the same day. The reverse holds, too.
  const pickFrom = (day: string) => pick({ from: day, to: to !== '' && day > to ? day : to })
  const pickTo = (day: string) => pick({ from: day !== '' && day < from ? day : from, to: day })
  return (
    <div className="flex items-center gap-1.5">
      <DateField label={t('from')} value={from} onPick={pickFrom} />
      <span aria-hidden className="text-muted">
        –
      </span>
      <DateField label={t('to')} value={to} onPick={pickTo} />
    </div>
  )
}

type DateFieldProps = { label: string; value: string; onPick: (day: string) => void }

/** Renders a date field. It ignores years such as 0002, which browsers report while the user types a year. */
function DateField({ label, value, onPick }: DateFieldProps) {
  const [typed, setTyped] = useState({ text: value, of: value })
  if (typed.of !== value) setTyped({ text: value, of: value })
  return (
    <input
      type="date"
      aria-label={label}
      title={label}
      min={FIRST_DAY}
      className="tabular h-10 w-0 max-sm:h-11 min-w-0 flex-1 rounded border border-edge bg-paper px-2.5 text-[14px] text-ink sm:w-auto sm:flex-none"
      value={typed.text}
      onChange={(event) => {
        const text = event.target.value
        setTyped({ text, of: value })
        if (text === '' || text >= FIRST_DAY) onPick(text)
      }}
    />
  )
}
