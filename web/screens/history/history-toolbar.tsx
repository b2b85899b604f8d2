import { useTranslations } from 'use-intl'
import { HISTORY_OUTCOMES } from '#contract/history.ts'
import { CountryFilter, ServiceFilter } from '../../components/past-filter/choice-filter.tsx'
import { PastToolbar } from '../../components/past-filter/past-toolbar.tsx'
import { SelectFilter } from '../../components/past-filter/select-filter.tsx'
import { SearchField } from '../../components/search-field.tsx'
import {
  countFilters,
  DIRECTIONS,
  HISTORY_FALLBACK,
  HISTORY_PERIODS,
  type HistoryChoice,
  MODES,
  unfiltered,
} from './history-filter.ts'

type HistoryToolbarProps = { choice: HistoryChoice; onChoose: (choice: HistoryChoice) => void }

/** What to look for in this view. */
export function HistoryToolbar({ choice, onChoose }: HistoryToolbarProps) {
  const t = useTranslations('history')
  const isMoney = choice.view === 'money'
  return (
    <PastToolbar
      lead={
        isMoney ? null : (
          <SearchField
            label={t('search')}
            search={choice.search}
            onSearch={(search) => onChoose({ ...choice, search })}
            className="max-sm:basis-full sm:max-w-60"
          />
        )
      }
      days={{
        choice: choice.days,
        offered: HISTORY_PERIODS,
        fallback: HISTORY_FALLBACK,
        onChoose: (days) => onChoose({ ...choice, days }),
      }}
      count={countFilters(choice)}
      onClear={() => onChoose({ ...unfiltered(choice.view), search: choice.search })}
    >
      {isMoney ? (
        <DirectionSelect choice={choice} onChoose={onChoose} />
      ) : (
        <PurchaseFilters choice={choice} onChoose={onChoose} />
      )}
    </PastToolbar>
  )
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

function PurchaseFilters({ choice, onChoose }: HistoryToolbarProps) {
  const t = useTranslations('history')
  return (
    <>
      <SelectFilter
        label={t('mode.label')}
        all={t('mode.all')}
        value={choice.mode}
        options={MODES.map((value) => ({ value, text: t(`mode.${value}`) }))}
        onChoose={(mode) => onChoose({ ...choice, mode })}
      />
      <SelectFilter
        label={t('outcome.label')}
        all={t('outcome.all')}
        value={choice.outcome}
        options={HISTORY_OUTCOMES.map((value) => ({ value, text: t(`outcome.${value}`) }))}
        onChoose={(outcome) => onChoose({ ...choice, outcome })}
      />
      <ServiceFilter chosen={choice.services} onChoose={(services) => onChoose({ ...choice, services })} />
      <CountryFilter chosen={choice.countries} onChoose={(countries) => onChoose({ ...choice, countries })} />
    </>
  )
}
