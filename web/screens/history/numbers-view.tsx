import { useTranslations } from 'use-intl'
import type { HistoryFilter } from '#contract/past/history.ts'
import { type HistoryChoice, isNarrowed } from './history-filter.ts'
import { HistoryRow } from './history-row.tsx'
import { PastList } from './past-list.tsx'
import { NumbersTotals } from './past-totals.tsx'
import { type HistorySeed, useHistory } from './use-history.ts'

export type ViewProps<Input> = {
  choice: HistoryChoice
  /** The input of the list's query; null until the dates of the chosen period are known. */
  input: Input | null
  seed: HistorySeed | null
  onChoose: (choice: HistoryChoice) => void
}

const COLUMNS = ['at', 'service', 'country', 'phone', 'result', 'paid'] as const

export function NumbersView({ choice, input, seed, onChoose }: ViewProps<HistoryFilter>) {
  const t = useTranslations('history')
  const query = useHistory(input, seed)
  const items = query.data?.pages.flatMap(({ history }) => history.data) ?? []
  const isEmpty = items.length === 0
  return (
    <>
      {isEmpty && query.data !== undefined ? null : <NumbersTotals input={input} />}
      <PastList
        look="numbers"
        caption={t('view.numbers')}
        columns={COLUMNS.map((column) => ({ key: column, text: t(`column.${column}`), isAmount: column === 'paid' }))}
        query={query}
        isEmpty={isEmpty}
        empty={{ title: t('emptyTitle'), text: t('emptyText') }}
        view={choice.view}
        narrowed={isNarrowed(choice)}
        onClear={onChoose}
      >
        {items.map((item) => (
          <HistoryRow key={`${item.mode} ${item.id}`} item={item} />
        ))}
      </PastList>
    </>
  )
}
