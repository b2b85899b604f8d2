import { useTranslations } from 'use-intl'
import type { MovementsFilter } from '#contract/history.ts'
import { isNarrowed } from './history-filter.ts'
import { MovementRow } from './movement-row.tsx'
import type { ViewProps } from './numbers-view.tsx'
import { PastList } from './past-list.tsx'
import { useMovements } from './use-history.ts'

const COLUMNS = ['at', 'what', 'subject', 'amount', 'balance'] as const
const AMOUNTS: readonly string[] = ['amount', 'balance']

export function MoneyView({ choice, input, seed, onChoose }: ViewProps<MovementsFilter>) {
  const t = useTranslations('history')
  const query = useMovements(input, seed)
  const items = query.data?.pages.flatMap(({ movements }) => movements.data) ?? []
  return (
    <PastList
      look="money"
      caption={t('view.money')}
      columns={COLUMNS.map((column) => ({
        key: column,
        text: t(`column.${column}`),
        isAmount: AMOUNTS.includes(column),
      }))}
      query={query}
      isEmpty={items.length === 0}
      empty={{ title: t('moneyEmptyTitle'), text: t('moneyEmptyText') }}
      view={choice.view}
      narrowed={isNarrowed(choice)}
      onClear={onChoose}
    >
      {items.map((item) => (
        <MovementRow key={item.id} item={item} />
      ))}
    </PastList>
  )
}
