import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { EntriesFilter } from '#contract/past/entries.ts'
import type { HistoryFilter, HistoryTotals, Statement } from '#contract/past/history.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isNothing, signed } from './money/signed.ts'
import { TOTALS_KEY } from './past-events.ts'

const COMMON = { placeholderData: keepPreviousData, refetchOnWindowFocus: false } as const

/** Shows the totals of all purchases that match the filter, added up by the server. */
export function NumbersTotals({ input }: { input: HistoryFilter | null }) {
  const api = useApi()
  const { signedIn } = useSession()
  const { per_page: _, ...filter } = input ?? {}
  const query = useQuery({
    ...COMMON,
    queryKey: [TOTALS_KEY, 'numbers', filter],
    queryFn: ({ signal }) => api('GET /api/v1/history/totals', filter, { signal }),
    enabled: signedIn && input !== null,
  })
  return (
    <TotalsRow
      query={query}
      render={(data) => <NumberFigures totals={data} />}
      places={['one', 'two', 'three', 'four']}
    />
  )
}

function NumberFigures({ totals }: { totals: HistoryTotals }) {
  const t = useTranslations('history.totals')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, totals.currency, locale)
  const { purchases, codes, ended, success_share: share } = totals
  return (
    <>
      <Figure name={totals.is_cut ? t('newest') : t('purchases')} value={formatCount(purchases, locale)} />
      <Figure
        name={t('spent')}
        value={money(totals.spent)}
        note={isNothing(totals.set_aside) ? null : t('setAside', { amount: money(totals.set_aside) })}
      />
      <Figure name={t('returned')} value={money(totals.returned)} />
      <Figure
        name={t('share')}
        value={share === null ? '—' : formatPercent(share, locale)}
        note={share === null ? null : t('ofEnded', { codes, count: ended })}
      />
    </>
  )
}

/** Shows the sums of the chosen days by kind. Held money is left out, because its outcome is shown. */
export function MoneyTotals({ input }: { input: EntriesFilter | null }) {
  const api = useApi()
  const { signedIn } = useSession()
  const { per_page: _, direction, ...days } = input ?? {}
  const query = useQuery({
    ...COMMON,
    queryKey: [TOTALS_KEY, 'money', days],
    queryFn: ({ signal }) => api('GET /api/v1/statement', days, { signal }),
    enabled: signedIn && input !== null,
  })
  return (
    <TotalsRow
      query={query}
      render={(data) => <MoneyFigures statement={data} direction={direction} />}
      places={['one', 'two', 'three']}
    />
  )
}

const HOLDS: readonly string[] = ['hold', 'release']

function MoneyFigures({ statement, direction }: { statement: Statement; direction: EntriesFilter['direction'] }) {
  const t = useTranslations('history.totals')
  const kinds = useTranslations('history.movement')
  const locale = useLocale()
  const { sums, charged, currency } = statement
  const shown = sums.filter(
    ({ kind, in: came }) =>
      !HOLDS.includes(kind) && (direction === undefined || (direction === 'in') === !isNothing(came)),
  )
  const isCharged = direction !== 'in' && charged.count > 0
  return (
    <>
      {isCharged ? (
        <Figure
          name={t('charged')}
          value={signed(`-${charged.amount}`, currency, locale)}
          note={t('times', { count: charged.count })}
        />
      ) : null}
      {shown.map(({ kind, in: came, out, count }) => (
        <Figure
          key={kind}
          name={kinds(kind)}
          value={signed(isNothing(came) ? `-${out}` : came, currency, locale)}
          note={t('times', { count })}
        />
      ))}
    </>
  )
}

type TotalsRowProps<Data> = {
  query: { data: { data: Data } | undefined; isError: boolean; isPlaceholderData: boolean }
  render: (data: Data) => ReactNode
  places: readonly string[]
}

/** Renders nothing if the totals did not load, because the list below is what people came for. */
function TotalsRow<Data>({ query, render, places }: TotalsRowProps<Data>) {
  const t = useTranslations('history.totals')
  if (query.isError && query.data === undefined) return null
  return (
    <dl
      aria-label={t('title')}
      aria-busy={query.data === undefined || query.isPlaceholderData}
      className="mt-3 grid min-h-19 grid-cols-2 content-start gap-x-8 gap-y-2 rounded bg-sunken px-4 py-2.5 aria-busy:opacity-60 sm:flex sm:flex-wrap"
    >
      {query.data === undefined
        ? places.map((place) => <Skeleton key={place} className="h-12 w-28" />)
        : render(query.data.data)}
    </dl>
  )
}

function Figure({ name, value, note = null }: { name: string; value: string; note?: string | null }) {
  return (
    <div className="min-w-24">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="tabular text-lg leading-tight font-semibold whitespace-nowrap">{value}</dd>
      {note === null ? null : <dd className="tabular text-[13px] leading-tight text-muted">{note}</dd>}
    </div>
  )
}
