import { useTranslations } from 'use-intl'
import { HISTORY_OUTCOMES } from '#contract/past/history.ts'
import { type FilterChip, usePurchaseChips } from '#web/past/filter-chips.ts'
import { PastToolbar } from '#web/past/past-toolbar.tsx'
import { PurchaseFilters } from '#web/past/purchase-filters.tsx'
import { SelectFilter } from '#web/past/select-filter.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import {
  DIRECTIONS,
  HISTORY_FALLBACK,
  HISTORY_PERIODS,
  type HistoryChoice,
  hasSearch,
  unfiltered,
} from './history-filter.ts'

type HistoryToolbarProps = { choice: HistoryChoice; onChoose: (choice: HistoryChoice) => void }

export function HistoryToolbar({ choice, onChoose }: HistoryToolbarProps) {
  const t = useTranslations('history')
  const chips = useChips({ choice, onChoose })
  return (
    <PastToolbar
      lead={
        hasSearch(choice.view) ? (
          <SearchField
            label={t(choice.view === 'payments' ? 'searchPayment' : 'search')}
            search={choice.search}
            onSearch={(search) => onChoose({ ...choice, search })}
            className="max-sm:min-h-11 max-sm:basis-full sm:max-w-60 sm:min-w-54"
          />
        ) : null
      }
      days={{
        choice: choice.days,
        offered: HISTORY_PERIODS,
        fallback: HISTORY_FALLBACK,
        onChoose: (days) => onChoose({ ...choice, days }),
      }}
      chips={chips}
      onClear={() => onChoose({ ...unfiltered(choice.view), search: choice.search })}
    >
      {choice.view === 'money' ? <DirectionSelect choice={choice} onChoose={onChoose} /> : null}
      {choice.view === 'numbers' ? (
        <PurchaseFilters choice={choice} onChoose={onChoose}>
          <OutcomeSelect choice={choice} onChoose={onChoose} />
        </PurchaseFilters>
      ) : null}
    </PastToolbar>
  )
}

function useChips({ choice, onChoose }: HistoryToolbarProps): FilterChip[] {
  const t = useTranslations('history')
  const { view, outcome, direction } = choice
  const purchases = usePurchaseChips(choice, onChoose)
  if (view === 'money') {
    const onRemove = () => onChoose({ ...choice, direction: null })
    return direction === null ? [] : [{ key: 'direction', text: t(`direction.${direction}`), onRemove }]
  }
  if (view !== 'numbers') return []
  const onRemove = () => onChoose({ ...choice, outcome: null })
  return outcome === null ? purchases : [{ key: 'outcome', text: t(`outcome.${outcome}`), onRemove }, ...purchases]
}

function DirectionSelect({ choice, onChoose }: HistoryToolbarProps) {
  const t = useTranslations('history')
  return (
    <SelectFilter
      label={t('direction.label')}
      all={t('direction.all')}
      value={choice.direction}
      options={DIRECTIONS.map((value) => ({ value, text: t(`direction.${value}`) }))}
      onChoose={(direction) => onChoose({ ...choice, direction })}
    />
  )
}

function OutcomeSelect({ choice, onChoose }: HistoryToolbarProps) {
  const t = useTranslations('history')
  return (
    <SelectFilter
      label={t('outcome.label')}
      all={t('outcome.all')}
      value={choice.outcome}
      options={HISTORY_OUTCOMES.map((value) => ({ value, text: t(`outcome.${value}`) }))}
      onChoose={(outcome) => onChoose({ ...choice, outcome })}
    />
  )
}
