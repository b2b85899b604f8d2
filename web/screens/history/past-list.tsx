import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListEnd } from '#web/ui/list-end.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type HistoryChoice, unfiltered, type View } from './history-filter.ts'

const SKELETONS = [1, 2, 3, 4, 5, 6, 7, 8]

type PastListProps = {
  look: View
  caption: string
  columns: readonly { key: string; text: string; isAmount: boolean }[]
  query: Parameters<typeof ListEnd>[0]['query'] & {
    data: unknown
    isError: boolean
    isPlaceholderData: boolean
    refetch: () => Promise<unknown>
  }
  /** True if nothing was found so far. A search may return an empty page although more pages follow. */
  isEmpty: boolean
  empty: { title: string; text: string }
  view: View
  narrowed: boolean
  onClear: (choice: HistoryChoice) => void
  children: ReactNode
}

export function PastList(props: PastListProps) {
  const { look, caption, columns, query, isEmpty, children } = props
  const t = useTranslations('history')
  if (query.isError && query.data === undefined) {
    return (
      <div className="mt-4">
        <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
          <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
        </EmptyState>
      </div>
    )
  }
  const isLoading = query.data === undefined
  if (!isLoading && isEmpty && !query.hasNextPage) return <Nothing {...props} />
  return (
    <>
      <table className="past-table mt-4 text-[15px] leading-[1.35]" data-look={look}>
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-hairline px-3 max-lg:sr-only">
          <tr>
            {columns.map(({ key, text, isAmount }) => (
              <th
                key={key}
                scope="col"
                className={`py-2 text-[13px] font-medium text-muted ${isAmount ? 'text-right' : 'text-left'}`}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={query.isPlaceholderData ? 'opacity-50' : ''} aria-busy={isLoading || query.isPlaceholderData}>
          {isLoading ? SKELETONS.map((row) => <RowSkeleton key={row} columns={columns} />) : children}
        </tbody>
      </table>
      <ListEnd query={query} words={{ loading: t('loadingMore'), failed: t('moreFailed'), retry: t('retry') }} />
    </>
  )
}

function Nothing({ empty, narrowed, view, onClear }: PastListProps) {
  const t = useTranslations('history')
  return (
    <div className="mt-4">
      {narrowed ? (
        <EmptyState drawing="strip" title={t('nothingTitle')} text={t('nothingText')}>
          <Button onClick={() => onClear(unfiltered(view))}>{t('clear')}</Button>
        </EmptyState>
      ) : (
        <EmptyState drawing="receipt" title={empty.title} text={empty.text}>
          {view === 'payments' ? (
            <Link to="/top-up" className={buttonLook('primary')}>
              {t('topUp')}
            </Link>
          ) : (
            <Link to="/" className={buttonLook('primary')}>
              {t('buy')}
            </Link>
          )}
        </EmptyState>
      )}
    </div>
  )
}

function RowSkeleton({ columns }: Pick<PastListProps, 'columns'>) {
  return (
    <tr>
      {columns.map(({ key, isAmount }) => (
        <td key={key} data-cell={key}>
          <Skeleton className={`h-4 w-20 max-w-full ${isAmount ? 'ml-auto' : ''}`} />
        </td>
      ))}
    </tr>
  )
}
