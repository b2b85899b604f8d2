import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { StatisticsReply } from '#contract/past/history.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { usePurchaseChips } from '#web/past/filter-chips.ts'
import { PastToolbar } from '#web/past/past-toolbar.tsx'
import { PurchaseFilters } from '#web/past/purchase-filters.tsx'
import { useTimeZone, useToday } from '#web/past/time-zone.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { Plots } from './plots.tsx'
import {
  countFilters,
  readStatistic,
  STATISTIC_FALLBACK,
  STATISTIC_PERIODS,
  type StatisticChoice,
  statisticsInput,
} from './statistic-filter.ts'
import { Tiles } from './tiles.tsx'

export type StatisticProps = { choice: StatisticChoice; onChoose: (choice: StatisticChoice) => void }

/** Renders the user's own figures. The server computes all sums, and the browser never adds up rows. */
export function OwnStatistic({ choice, onChoose }: StatisticProps) {
  const t = useTranslations('statistic')
  const query = useStatistics(choice)
  const clear = () => onChoose({ ...choice, ...ownPart(readStatistic(new URLSearchParams())) })
  return (
    <>
      <StatisticToolbar choice={choice} onChoose={onChoose} onClear={clear} />
      {query.data === undefined && query.isError ? (
        <div className="mt-4">
          <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
            <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
          </EmptyState>
        </div>
      ) : (
        <div
          className="mt-4 flex flex-col gap-4 transition-opacity duration-150 data-stale:opacity-50"
          aria-busy={query.data === undefined || query.isPlaceholderData}
          data-stale={query.isPlaceholderData || undefined}
        >
          <Tiles data={query.data?.data} />
          <Sums data={query.data?.data} narrowed={countFilters(choice) > 0} onClear={clear} />
        </div>
      )}
    </>
  )
}

function useStatistics(choice: StatisticChoice) {
  const api = useApi()
  const { signedIn } = useSession()
  const timeZone = useTimeZone()
  const input = statisticsInput(choice, { today: useToday(), timeZone })
  return useQuery({
    queryKey: ['statistics', input],
    queryFn: ({ signal }) => api('GET /api/v1/statistics', input ?? {}, { signal }),
    enabled: signedIn && input !== null,
    placeholderData: keepPreviousData,
  })
}

function StatisticToolbar({ choice, onChoose, onClear }: StatisticProps & { onClear: () => void }) {
  return (
    <PastToolbar
      days={{
        choice: choice.days,
        offered: STATISTIC_PERIODS,
        fallback: STATISTIC_FALLBACK,
        onChoose: (days) => onChoose({ ...choice, days }),
      }}
      chips={usePurchaseChips(choice, onChoose)}
      onClear={onClear}
    >
      <PurchaseFilters choice={choice} onChoose={onChoose} />
    </PastToolbar>
  )
}

type SumsProps = { data: StatisticsReply['data'] | undefined; narrowed: boolean; onClear: () => void }

function Sums({ data, narrowed, onClear }: SumsProps) {
  const t = useTranslations('statistic')
  if (data === undefined) {
    return (
      <>
        <div className="grid gap-4 lg:grid-cols-2">
          {['purchases', 'spent', 'share', 'median'].map((plot) => (
            <Skeleton key={plot} className="h-[277px]" />
          ))}
        </div>
        <Skeleton className="h-10" />
      </>
    )
  }
  if (data.total.purchases === 0) {
    return (
      <EmptyState drawing="receipt" title={t('emptyTitle')} text={t('emptyText')}>
        {narrowed ? (
          <Button onClick={onClear}>{t('clear')}</Button>
        ) : (
          <Link to="/" className={buttonLook('primary')}>
            {t('buy')}
          </Link>
        )}
      </EmptyState>
    )
  }
  const countedUntil = data.counted_until
  return (
    <>
      <Plots data={data} />
      <Breakdowns data={data} />
      {countedUntil === null ? null : (
        <p className="text-[13px] text-muted">
          {t.rich('countedUntil', { time: () => <LocalMoment at={countedUntil} /> })}
        </p>
      )}
    </>
  )
}

function ownPart({ days, mode, services, countries }: StatisticChoice) {
  return { days, mode, services, countries }
}
