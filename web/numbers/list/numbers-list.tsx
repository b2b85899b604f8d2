import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import type { NumberRecord, NumbersFilter } from '#web/live/numbers-cache.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { isNarrowed, readActiveFilter, writeActiveFilter } from '#web/numbers/initial/active-filter.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { ListEnd } from '#web/ui/list-end.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { NumberKind } from './number-kind.ts'
import { NumbersToolbar } from './numbers-toolbar.tsx'
import { placeOf } from './ticket-places.ts'
import { useNumbers } from './use-numbers.ts'

const AntifraudNotice = lazyPart(async () => (await import('./antifraud-notice.tsx')).AntifraudNotice)

const SKELETONS = ['first', 'second', 'third']

type NumbersListProps<Item extends NumberRecord> = {
  kind: NumberKind<Item>
  seed: NumbersSeed<Item> | null
  heading: ReactNode
  above?: ReactNode
  renderTicket: (record: Item) => ReactNode
  empty: { title: string; text: string; button?: ReactNode }
}

/** Lists tickets, 20 per page, and loads the next page on scroll. The filter is in the address bar. */
export function NumbersList<Item extends NumberRecord>(props: NumbersListProps<Item>) {
  const { kind, seed, heading, above, renderTicket, empty } = props
  const t = useTranslations('activations')
  const [params, setParams] = useSearchParams()
  const filter = readActiveFilter(params, kind.name)
  const { query, tickets, places, total } = useNumbers(kind, filter, seed)
  const setFilter = (next: NumbersFilter) => {
    setParams((before) => writeActiveFilter(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  const narrowed = isNarrowed(filter)
  const pauses = query.data?.pages[0]?.antifraud ?? []
  return (
    <section aria-labelledby="numbers-heading" className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-10 flex-wrap items-center gap-2">
        <div className="flex-[1_0_auto]">{heading}</div>
        {total > 0 || tickets.length > 0 || narrowed ? (
          <NumbersToolbar kind={kind} filter={filter} onFilter={setFilter} />
        ) : null}
      </div>
      {pauses.length === 0 ? null : <AntifraudNotice pauses={pauses} kind={kind.name} />}
      {above}
      {query.isError && query.data === undefined ? (
        <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
          <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
        </EmptyState>
      ) : query.data === undefined ? (
        SKELETONS.map((key) => <TicketSkeleton key={key} />)
      ) : tickets.length === 0 ? (
        <NoNumbers narrowed={narrowed} empty={empty} onClear={() => setFilter({})} />
      ) : (
        <ol className="flex flex-col gap-3">
          {tickets.map((record) => (
            // A replacement reuses the DOM element of the old ticket, so the focus stays.
            <li key={placeOf(places, record).id}>{renderTicket(record)}</li>
          ))}
        </ol>
      )}
      <ListEnd query={query} words={{ loading: t('loadingMore'), failed: t('moreFailed'), retry: t('retry') }} />
    </section>
  )
}

type NoNumbersProps = {
  narrowed: boolean
  empty: { title: string; text: string; button?: ReactNode }
  onClear: () => void
}

function NoNumbers({ narrowed, empty, onClear }: NoNumbersProps) {
  const t = useTranslations('activations')
  if (narrowed) {
    return (
      <EmptyState title={t('nothingTitle')} text={t('nothingText')}>
        <Button onClick={onClear}>{t('clear')}</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={empty.title} text={empty.text}>
      {empty.button}
    </EmptyState>
  )
}

function TicketSkeleton() {
  return (
    <div className="@container" aria-hidden>
      <div className="ticket" data-look="waiting">
        <div className="flex flex-col gap-1.5 px-5 py-4">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10" />
            <div className="flex flex-col gap-1.5">
              <Skeleton className="h-4 w-28" />
              <Skeleton className="h-3.5 w-36" />
            </div>
          </div>
          <div className="flex min-h-10 items-center">
            <Skeleton className="h-7 w-56 max-w-full" />
          </div>
          <Skeleton className="h-[21px] w-32" />
        </div>
        <div className="ticket-stub">
          <div className="flex min-h-14 flex-1 items-center">
            <Skeleton className="h-9 w-28" />
          </div>
          <div className="min-h-10" />
        </div>
      </div>
    </div>
  )
}
