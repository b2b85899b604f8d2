import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { DateFields, PeriodSegments } from './day-filter.tsx'
import type { FilterChip } from './filter-chips.ts'
import type { DaysChoice, Period } from './past-days.ts'

type PastToolbarProps = {
  lead?: ReactNode
  days: { choice: DaysChoice; offered: readonly Period[]; fallback: Period; onChoose: (choice: DaysChoice) => void }
  /** The filters that are set, apart from the days. */
  chips: readonly FilterChip[]
  onClear: () => void
  children?: ReactNode
}

/** Renders the filters behind one button. Chips say which filters are set, and each is removed by a press. */
export function PastToolbar({ lead, days, chips, onClear, children }: PastToolbarProps) {
  const t = useTranslations('history')
  const [open, setOpen] = useState(false)
  const filtersId = useId()
  const dayChip = useDayChip(days)
  const shown = dayChip === null ? chips : [dayChip, ...chips]
  return (
    <div className="relative mt-3 flex flex-wrap gap-2">
      {lead}
      <PeriodSegments {...days} />
      <Button
        className="relative max-sm:min-h-11 max-sm:px-4"
        aria-expanded={open}
        aria-controls={filtersId}
        aria-label={shown.length === 0 ? t('filters') : t('filtersCount', { count: shown.length })}
        onClick={() => setOpen(!open)}
      >
        <ListFilter size={16} aria-hidden className="text-muted" />
        <span className="max-sm:hidden">{t('filters')}</span>
        {shown.length === 0 ? null : (
          <span
            aria-hidden
            className="tabular min-w-5 rounded-full bg-ink px-1.5 text-center text-[11px] leading-5 font-semibold text-paper max-sm:absolute max-sm:-top-1.5 max-sm:-right-1.5"
          >
            {shown.length}
          </span>
        )}
      </Button>
      <div
        id={filtersId}
        className={`relative min-w-0 basis-full flex-col gap-2 max-sm:[&_select]:min-h-11 rounded border border-hairline bg-surface p-3 sm:flex-row sm:flex-wrap ${open ? 'flex' : 'hidden'}`}
      >
        {children}
        <DateFields {...days} />
      </div>
      {shown.length === 0 ? null : (
        <div className="flex basis-full flex-wrap items-center gap-2">
          {shown.map((chip) => (
            <Chip key={chip.key} chip={chip} />
          ))}
          <Button kind="quiet" className="max-sm:min-h-11" onClick={onClear}>
            {t('clear')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Chip({ chip: { text, onRemove } }: { chip: FilterChip }) {
  const t = useTranslations('history')
  return (
    <button
      type="button"
      aria-label={t('removeFilter', { name: text })}
      className="inline-flex min-h-10 max-w-full max-sm:min-h-11 items-center gap-1.5 rounded-full border border-edge bg-surface pr-2.5 pl-3.5 text-[14px] hover:bg-sunken"
      onClick={onRemove}
    >
      <span className="min-w-0 truncate">{text}</span>
      <X size={14} aria-hidden className="shrink-0 text-muted" />
    </button>
  )
}

/** Returns the chip of days that no period names; the pressed segment shows a period. */
function useDayChip({ choice, fallback, onChoose }: PastToolbarProps['days']): FilterChip | null {
  const locale = useLocale()
  if (choice.kind === 'period') return null
  const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  const dayOf = (day: string | null) => (day === null ? '…' : format.format(Date.parse(day)))
  const text = choice.from === choice.to ? dayOf(choice.from) : `${dayOf(choice.from)} – ${dayOf(choice.to)}`
  return { key: 'days', text, onRemove: () => onChoose({ kind: 'period', period: fallback }) }
}
