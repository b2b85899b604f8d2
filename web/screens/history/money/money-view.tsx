import { useTranslations } from 'use-intl'
import type { EntriesFilter, Entry } from '#contract/past/entries.ts'
import { isNarrowed } from '../history-filter.ts'
import type { ViewProps } from '../numbers-view.tsx'
import { PastList } from '../past-list.tsx'
import { MoneyTotals } from '../past-totals.tsx'
import { useEntries } from '../use-history.ts'
import { EntryRow } from './entry-row.tsx'

const COLUMNS = ['at', 'what', 'subject', 'amount', 'balance'] as const
const AMOUNTS: readonly string[] = ['amount', 'balance']

export function MoneyView({ choice, input, seed, onChoose }: ViewProps<EntriesFilter>) {
  const t = useTranslations('history')
  const query = useEntries(input, seed)
  const items = query.data?.pages.flatMap(({ entries }) => entries.data) ?? []
  const isEmpty = items.length === 0
  return (
    <>
      {isEmpty && query.data !== undefined ? null : <MoneyTotals input={input} />}
      <PastList
        look="money"
        caption={t('view.money')}
        columns={COLUMNS.map((column) => ({
          key: column,
          text: t(`column.${column}`),
          isAmount: AMOUNTS.includes(column),
        }))}
        query={query}
        isEmpty={isEmpty}
        empty={{ title: t('moneyEmptyTitle'), text: t('moneyEmptyText') }}
        view={choice.view}
        narrowed={isNarrowed(choice)}
        onClear={onChoose}
      >
        {items.map((item) => (
          <EntryRow key={keyOf(item)} entry={item} />
        ))}
      </PastList>
    </>
  )
}

/** Returns a React key that stays the same, so that an opened row stays open while the purchase continues. */
function keyOf({ id, kind, subject, payment }: Entry): string {
  return `${kind} ${subject?.id ?? payment?.transaction_id ?? id}`
}
