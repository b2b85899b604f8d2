import { ListFilter } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { DateFields, PeriodSegments } from './day-filter.tsx'
import type { DaysChoice, Period } from './past-days.ts'

type PastToolbarProps = {
  lead?: ReactNode
  days: { choice: DaysChoice; offered: readonly Period[]; fallback: Period; onChoose: (choice: DaysChoice) => void }
  count: number
  onClear: () => void
  children: ReactNode
}

export function PastToolbar({ lead, days, count, onClear, children }: PastToolbarProps) {
  const t = useTranslations('history')
  const [open, setOpen] = useState(false)
  const filtersId = useId()
  return (
    <div className="relative mt-3 flex flex-wrap gap-2">
      {lead}
      <PeriodSegments {...days} />
      <Button
        className="relative px-4 sm:hidden"
        aria-expanded={open}
        aria-controls={filtersId}
        aria-label={count === 0 ? t('filters') : t('filtersCount', { count })}
        onClick={() => setOpen(!open)}
      >
        <ListFilter size={16} aria-hidden className="text-muted" />
        {count === 0 ? null : (
          <span
            aria-hidden
            className="tabular absolute -top-1.5 -right-1.5 min-w-5 rounded-full bg-ink px-1.5 text-center text-[11px] leading-5 font-semibold text-paper"
          >
            {count}
          </span>
        )}
      </Button>
      <div
        id={filtersId}
        className={`relative min-w-0 shrink-0 grow basis-full flex-col gap-2 sm:contents ${open ? 'flex' : 'hidden'}`}
      >
        <DateFields {...days} />
        {children}
        {count === 0 ? null : (
          <Button kind="quiet" onClick={onClear}>
            {t('clear')}
          </Button>
        )}
      </div>
    </div>
  )
}
