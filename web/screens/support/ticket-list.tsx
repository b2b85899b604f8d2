import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import type { TicketsFilter, TicketsReply } from '#contract/support/support.ts'
import { TICKET_SEARCH_MAX_LENGTH, TICKET_STATES } from '#contract/support/support-constants.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SUPPORT_KEY } from '#web/live/support-key.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { withValues } from '#web/past/address.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { ListEnd } from '#web/ui/list-end.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TicketRow } from './ticket-row.tsx'

const CREATE_PATH = '/support/create'

export type TicketsSeed = { filter: TicketsFilter; page: TicketsReply }

export async function loadTickets({ api, url }: LoaderInput): Promise<TicketsSeed> {
  const filter = readFilter(url.searchParams)
  return { filter, page: await api('GET /api/v1/support/tickets', filter) }
}

export function TicketList({ seed }: { seed: TicketsSeed }) {
  const t = useTranslations('support')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('title')} indexable={false} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <Link to={CREATE_PATH} className={buttonLook('primary')}>
          {t('write')}
        </Link>
      </div>
      <Tickets seed={seed} />
    </div>
  )
}

function Tickets({ seed }: { seed: TicketsSeed }) {
  const t = useTranslations('support')
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  const query = useTickets(filter, seed)
  const items = query.data?.pages.flatMap(({ tickets }) => tickets.data) ?? []
  // Duplicate tickets are removed, because a ticket that moves to the top during loading would appear twice.
  const tickets = [...new Map(items.map((item) => [item.id, item])).values()]
  const isNarrowed = filter.search !== undefined || filter.state !== undefined
  const choose = (changes: { search?: string; state?: string }) =>
    setParams((before) => withValues(before, changes), { replace: true, preventScrollReset: true, flushSync: true })
  if (query.data?.pages[0]?.tickets.meta.total === 0 && !isNarrowed) {
    return (
      <div className="mt-6">
        <EmptyState drawing="envelope" title={t('emptyTitle')} text={t('emptyText')}>
          <Link to={CREATE_PATH} className={buttonLook()}>
            {t('write')}
          </Link>
        </EmptyState>
      </div>
    )
  }
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        <SearchField
          label={t('search')}
          search={filter.search ?? ''}
          onSearch={(search) => choose({ search })}
          className="basis-60"
        />
        <SelectBox
          label={t('stateLabel')}
          value={filter.state ?? ''}
          onChange={(event) => choose({ state: event.target.value })}
        >
          <option value="">{t('anyState')}</option>
          {TICKET_STATES.map((state) => (
            <option key={state} value={state}>
              {t(`state.${state}`)}
            </option>
          ))}
        </SelectBox>
      </div>
      {query.isError && query.data === undefined ? (
        <div className="mt-4">
          <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
            <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
          </EmptyState>
        </div>
      ) : query.data !== undefined && tickets.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="envelope" title={t('nothingTitle')} text={t('nothingText')}>
            <Button onClick={() => choose({ search: '', state: '' })}>{t('clear')}</Button>
          </EmptyState>
        </div>
      ) : (
        <ul
          className={`mt-4 divide-y divide-hairline overflow-hidden rounded border border-hairline bg-surface ${query.isPlaceholderData ? 'opacity-50' : ''}`}
          aria-busy={query.data === undefined || query.isPlaceholderData}
        >
          {query.data === undefined ? <Skeletons /> : tickets.map((each) => <TicketRow key={each.id} ticket={each} />)}
        </ul>
      )}
      <ListEnd query={query} words={{ loading: t('loadingMore'), failed: t('moreFailed'), retry: t('retry') }} />
    </>
  )
}

function Skeletons() {
  return ['a', 'b', 'c'].map((key) => (
    <li key={key} className="px-4 py-4">
      <Skeleton className="h-10 w-full" />
    </li>
  ))
}

function readFilter(params: URLSearchParams): TicketsFilter {
  const search = (params.get('search') ?? '').trim().slice(0, TICKET_SEARCH_MAX_LENGTH)
  const state = TICKET_STATES.find((known) => known === params.get('state'))
  return {
    ...(search === '' ? {} : { search }),
    ...(state === undefined ? {} : { state }),
    per_page: CLIENT_PAGE_SIZE,
  }
}

function useTickets(filter: TicketsFilter, seed: TicketsSeed) {
  const api = useApi()
  const { signedIn } = useSession()
  const isSeeded = JSON.stringify(seed.filter) === JSON.stringify(filter)
  return useInfiniteQuery({
    queryKey: [SUPPORT_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) => api('GET /api/v1/support/tickets', { ...filter, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ tickets }, _pages, page) => (page < tickets.meta.last_page ? page + 1 : null),
    placeholderData: keepPreviousData,
    enabled: signedIn,
    ...(isSeeded ? { initialData: { pages: [seed.page], pageParams: [1] } } : {}),
  })
}
