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
import { TicketsOrRows } from './tickets-or-rows.tsx'
import { useLoadAll } from './use-load-all.ts'
import { useNumbers } from './use-numbers.ts'

const AntifraudNotice = lazyPart(async () => (await import('./antifraud-notice.tsx')).AntifraudNotice)

/** From the sixth number on, the list has rows of one line. */
const MOST_TICKETS = 5

const SKELETONS = ['first', 'second', 'third']

type NumbersListProps<Item extends NumberRecord> = {
  kind: NumberKind<Item>
  seed: NumbersSeed<Item> | null
  heading: ReactNode
  /** The level of headings inside the list. */
  itemHeading: 'h2' | 'h3'
  above?: ReactNode
  renderTicket: (record: Item) => ReactNode
  /** Shown if there are no numbers at all. */
  empty: ReactNode
}

/** Lists a few numbers as tickets, and many as rows. The filter is in the address bar. */
export function NumbersList<Item extends NumberRecord>(props: NumbersListProps<Item>) {
  const { kind, seed, heading, itemHeading, above, renderTicket, empty } = props
  const t = useTranslations('activations')
  const [params, setParams] = useSearchParams()
  const filter = readActiveFilter(params, kind.name)
  const { query, tickets, places, total } = useNumbers(kind, filter, seed)
  const setFilter = (next: NumbersFilter) => {
    setParams((before) => writeActiveFilter(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  // Ended numbers count as well, so that a list of rows stays one while its numbers end.
  const isMany = Math.max(filter.ended === '1' ? 0 : total, tickets.length) > MOST_TICKETS
  // Years of ended numbers come as they are scrolled to.
  useLoadAll(query, isMany && filter.ended !== '1')
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
        narrowed ? (
          <NothingFound onClear={() => setFilter({})} />
        ) : (
          empty
        )
      ) : (
        <TicketsOrRows
          isMany={isMany}
          kind={kind}
          tickets={tickets}
          places={places}
          itemHeading={itemHeading}
          dismissible={filter.ended !== '1'}
          renderTicket={renderTicket}
        />
      )}
      <ListEnd
        query={{
          hasNextPage: query.hasNextPage,
          // useLoadAll loads the pages of rows, so the end of the list need not.
          isFetchingNextPage: isMany || query.isFetchingNextPage,
          isFetchNextPageError: query.isFetchNextPageError,
          fetchNextPage: query.fetchNextPage,
        }}
        words={{ loading: t('loadingMore'), failed: t('moreFailed'), retry: t('retry') }}
      />
    </section>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  const t = useTranslations('activations')
  return (
    <EmptyState drawing="strip" title={t('nothingTitle')} text={t('nothingText')}>
      <Button onClick={onClear}>{t('clear')}</Button>
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
          <div className="min-h-11">
            <Skeleton className="h-[21px] w-32" />
          </div>
          <div className="mt-auto -mb-2 min-h-10" />
        </div>
        <div className="ticket-stub">
          <div className="ticket-face">
            <div className="ticket-value">
              <Skeleton className="h-9 w-28" />
            </div>
            <div className="ticket-help" />
          </div>
          <div className="min-h-11" />
        </div>
      </div>
    </div>
  )
}
