import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { QualityFilter, QualityReply } from '#contract/past/history.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { useCountryNames, useServiceNames } from '#web/past/catalog-names.ts'
import { CountryFilter, ServiceFilter } from '#web/past/choice-filter.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { formatDuration } from './figures.ts'
import type { StatisticProps } from './own-statistic.tsx'
import { qualityInput } from './statistic-filter.ts'

/** The seed is the loader's reply, which fits only the query with the same input. */
export type QualitySeed = { input: QualityFilter; page: QualityReply }

const COLUMNS = ['service', 'operator', 'share', 'median', 'p90', 'purchases'] as const

/** Phones have no room for all columns. They have the operator's name in the first column. */
const HIDDEN: Partial<Record<(typeof COLUMNS)[number], string>> = {
  operator: 'max-sm:hidden',
  p90: 'max-sm:hidden',
  purchases: 'max-[23rem]:hidden',
}

export function Quality({ choice, seed, onChoose }: StatisticProps & { seed: QualitySeed }) {
  const t = useTranslations('statistic')
  const titleId = useId()
  const query = useQuality(qualityInput(choice), seed)
  const first = query.data?.pages[0] ?? seed.page
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby={titleId} className="mt-8 border-t border-hairline pt-6">
      <h2 id={titleId} className="text-lg leading-tight font-semibold">
        {t('quality.title')}
      </h2>
      <p className="mt-1.5 max-w-3xl text-muted">
        {t('quality.text', { days: first.days, minimum: first.minimum_sample })}
      </p>
      <div className="relative mt-3 grid gap-2 sm:flex">
        <ServiceFilter
          single
          chosen={choice.service === null ? [] : [choice.service]}
          onChoose={([service = null]) => onChoose({ ...choice, service })}
        />
        <CountryFilter
          single
          chosen={choice.country === null ? [] : [choice.country]}
          onChoose={([country = null]) => onChoose({ ...choice, country })}
        />
      </div>
      {query.isError && query.data === undefined ? (
        <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
          <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
        </EmptyState>
      ) : query.data !== undefined && rows.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="receipt" title={t('quality.emptyTitle')} text={t('quality.emptyText')} />
        </div>
      ) : (
        <QualityTable rows={rows} titleId={titleId} stale={query.isPlaceholderData} />
      )}
      {query.hasNextPage ? (
        <Button
          className="mt-3"
          aria-disabled={query.isFetchingNextPage}
          onClick={() => (query.isFetchingNextPage ? undefined : inBackground(query.fetchNextPage()))}
        >
          {t('quality.more')}
        </Button>
      ) : null}
    </section>
  )
}

function useQuality(input: QualityFilter, seed: QualitySeed) {
  const api = useApi()
  // The JSON texts can be compared, because one function makes both inputs, so their keys have the same order.
  const seeded = JSON.stringify(input) === JSON.stringify(seed.input)
  return useInfiniteQuery({
    queryKey: ['quality', input],
    queryFn: ({ pageParam, signal }) => api('GET /api/v1/quality', { ...input, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }, pages) => (pages.length < meta.last_page ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [1] } } : {}),
  })
}

type QualityTableProps = { rows: QualityReply['data']; titleId: string; stale: boolean }

function QualityTable({ rows, titleId, stale }: QualityTableProps) {
  const t = useTranslations('statistic')
  return (
    <div className="mt-3 rounded border border-hairline bg-surface max-[23rem]:pr-3">
      <table className="sum-table" aria-labelledby={titleId} aria-busy={stale} data-stale={stale || undefined}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={HIDDEN[column]}>
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <QualityRow key={`${row.service_id} ${row.country_id} ${row.operator}`} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function QualityRow({ row }: { row: QualityReply['data'][number] }) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  const service = useServiceNames({ enabled: true }).data?.find(({ id }) => id === row.service_id)
  const country = useCountryNames({ enabled: true }).data?.find(({ id }) => id === row.country_id)
  const timeOf = (seconds: number | null) => (seconds === null ? '—' : formatDuration(t, seconds))
  return (
    <tr>
      <th scope="row">
        <span className="flex items-center gap-2 sm:gap-2.5">
          <Mark service={service ?? { id: row.service_id, name: row.service_id }} />
          <span className="min-w-0 leading-tight">
            <span className="line-clamp-2 font-medium whitespace-normal wrap-break-word">
              {service?.name ?? row.service_id}
            </span>
            <span className="flex min-h-5 items-center gap-1.5 text-[13px] font-normal text-muted">
              {country === undefined ? <Skeleton className="h-3.5 w-24" /> : <Flag iso2={country.iso2} size="tiny" />}
              <span className="line-clamp-2 min-w-0 whitespace-normal">{country?.name}</span>
            </span>
            <span className="block text-[13px] font-normal sm:hidden">
              <OperatorLink row={row} />
            </span>
            {row.better === null ? null : <BetterLink row={row} better={row.better} />}
          </span>
        </span>
      </th>
      <td className={HIDDEN.operator}>
        <OperatorLink row={row} />
      </td>
      <td>{formatPercent(row.success_share, locale)}</td>
      <td>{timeOf(row.median_seconds)}</td>
      <td className={HIDDEN.p90}>{timeOf(row.p90_seconds)}</td>
      <td className={HIDDEN.purchases}>{formatCount(row.purchases, locale)}</td>
    </tr>
  )
}

/** Leads to the panel where a number of this operator is bought. */
function OperatorLink({ row }: { row: QualityReply['data'][number] }) {
  return (
    <Link
      to={buyingOf(row, row.operator)}
      className="relative wrap-anywhere text-signal underline underline-offset-2 after:absolute after:-inset-x-2 after:-inset-y-3"
    >
      {row.operator}
    </Link>
  )
}

function buyingOf(row: QualityReply['data'][number], operator: string): string {
  return `/?${new URLSearchParams({ service: row.service_id, country: String(row.country_id), operator })}`
}

type BetterLinkProps = { row: QualityReply['data'][number]; better: { operator: string; success_share: number } }

/** Leads from an operator without codes to the operator of the same service and country that has them. */
function BetterLink({ row, better: { operator, success_share: share } }: BetterLinkProps) {
  const t = useTranslations('statistic')
  const locale = useLocale()
  return (
    <Link
      to={buyingOf(row, operator)}
      className="inline-flex min-h-10 items-center text-[13px] font-normal whitespace-normal text-signal underline underline-offset-2"
    >
      {t('quality.better', { operator, percent: formatPercent(share, locale) })}
    </Link>
  )
}
