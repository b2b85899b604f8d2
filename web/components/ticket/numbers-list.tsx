import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { isNarrowed, readActiveFilter, writeActiveFilter } from './active-filter.ts'
import { type ActiveNumbersSeed, useActiveNumbers } from './active-numbers.ts'
import { NumbersToolbar } from './numbers-toolbar.tsx'
import { Ticket } from './ticket.tsx'
import { TicketSkeleton } from './ticket-skeleton.tsx'

const SKELETONS = ['first', 'second', 'third']

type NumbersListProps = {
  seed: ActiveNumbersSeed | null
  heading: ReactNode
  ticketHeading: 'h2' | 'h3'
  /** What to do when there is no number yet: text and button. */
  empty: { text: string; button?: ReactNode }
}

/** A person's numbers as tickets, with their filter in the address; 20 at first, the next page on scroll. */
export function NumbersList({ seed, heading, ticketHeading, empty }: NumbersListProps) {
  const t = useTranslations('activations')
  const [params, setParams] = useSearchParams()
  const filter = readActiveFilter(params)
  const { query, tickets, total } = useActiveNumbers(filter, seed)
  const setFilter = (next: ActiveNumbersFilter) => {
    setParams((before) => writeActiveFilter(before, next), { replace: true, preventScrollReset: true, flushSync: true })
  }
  const narrowed = isNarrowed(filter)
  return (
    <section aria-labelledby="numbers-heading" className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-10 flex-wrap items-center gap-2">
        <div className="flex-[1_0_auto]">{heading}</div>
        {total > 0 || narrowed ? <NumbersToolbar filter={filter} onFilter={setFilter} /> : null}
      </div>
      {query.isError && query.data === undefined ? (
        <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
          <Button onClick={() => void query.refetch()}>{t('retry')}</Button>
        </EmptyState>
      ) : query.data === undefined ? (
        SKELETONS.map((key) => <TicketSkeleton key={key} />)
      ) : tickets.length === 0 ? (
        <NoNumbers narrowed={narrowed} empty={empty} onClear={() => setFilter({})} />
      ) : (
        <ol className="flex flex-col gap-3">
          {tickets.map((record) => (
            <li key={record.id}>
              <Ticket record={record} heading={ticketHeading} />
            </li>
          ))}
        </ol>
      )}
      <MoreNumbers query={query} />
    </section>
  )
}

function NoNumbers({
  narrowed,
  empty,
  onClear,
}: {
  narrowed: boolean
  empty: NumbersListProps['empty']
  onClear: () => void
}) {
  const t = useTranslations('activations')
  if (narrowed) {
    return (
      <EmptyState title={t('nothingTitle')} text={t('nothingText')}>
        <Button onClick={onClear}>{t('clear')}</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('emptyTitle')} text={empty.text}>
      {empty.button}
    </EmptyState>
  )
}

type MoreNumbersProps = {
  query: Pick<
    ReturnType<typeof useActiveNumbers>['query'],
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
}

/** The end of the list: coming into view, it loads the next page. */
function MoreNumbers({ query }: MoreNumbersProps) {
  const t = useTranslations('activations')
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const waits = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const loadMore = useEffectEvent(() => void fetchNextPage())
  useEffect(() => {
    const element = end.current
    if (element === null || !waits) return
    // Seen from a screen away, so that the next page is there when it is reached.
    const observer = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? loadMore() : undefined), {
      rootMargin: '600px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [waits])
  if (!hasNextPage) return null
  return (
    <div ref={end} className="flex min-h-12 items-center justify-center gap-3 text-muted">
      {isFetchNextPageError ? (
        <>
          <span role="alert">{t('moreFailed')}</span>
          <Button onClick={() => void fetchNextPage()}>{t('retry')}</Button>
        </>
      ) : (
        <span role="status">{t('loadingMore')}</span>
      )}
    </div>
  )
}
