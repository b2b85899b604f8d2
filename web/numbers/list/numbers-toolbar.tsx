import { ListFilter } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { NumbersFilter as Filter, NumberRecord } from '#web/live/numbers-cache.ts'
import { countFilters } from '#web/numbers/initial/active-filter.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import type { NumberKind } from './number-kind.ts'
import { NumbersFilter } from './numbers-filter.tsx'

const SORTS = ['newest', 'oldest', 'expiring'] as const

type FilterProps = { filter: Filter; onFilter: (filter: Filter) => void }
type NumbersToolbarProps<Item extends NumberRecord> = FilterProps & { kind: NumberKind<Item> }

export function NumbersToolbar<Item extends NumberRecord>({ kind, filter, onFilter }: NumbersToolbarProps<Item>) {
  const t = useTranslations('activations')
  const count = countFilters(filter)
  return (
    <>
      <SearchField
        label={t('search')}
        search={filter.search ?? ''}
        onSearch={(search) => onFilter({ ...filter, search })}
        className="order-last flex-[1_0_100%] sm:order-none sm:flex-[0_1_14rem]"
      />
      <SortSelect filter={filter} onFilter={onFilter} className="hidden sm:block" />
      <Disclosure
        label={count === 0 ? t('filter') : t('filterCount', { count })}
        button={
          <>
            <ListFilter size={16} aria-hidden className="text-muted" />
            {count === 0 ? null : <span className="tabular font-semibold">{count}</span>}
          </>
        }
        buttonLook="inline-flex h-10 min-w-10 items-center justify-center gap-1.5 rounded border border-edge bg-paper px-3 hover:bg-sunken"
        panelLook="right-0 top-full mt-1 w-72 max-w-[calc(100vw-1.5rem)]"
      >
        {() => (
          <>
            <SortSelect filter={filter} onFilter={onFilter} className="mb-1 sm:hidden" />
            <NumbersFilter kind={kind} filter={filter} onFilter={onFilter} />
          </>
        )}
      </Disclosure>
    </>
  )
}

function SortSelect({ filter, onFilter, className }: FilterProps & { className: string }) {
  const t = useTranslations('activations')
  return (
    <SelectBox
      label={t('sortLabel')}
      className={className}
      value={filter.sort ?? 'newest'}
      onChange={(event) => {
        const sort = SORTS.find((known) => known === event.target.value)
        if (sort !== undefined) onFilter({ ...filter, sort })
      }}
    >
      {SORTS.map((sort) => (
        <option key={sort} value={sort}>
          {t(`sort.${sort}`)}
        </option>
      ))}
    </SelectBox>
  )
}
