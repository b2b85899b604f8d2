import { useTranslations } from 'use-intl'
import type { QueueReply } from '#contract/staff/staff-room.ts'
import { PagesNav, requirePage } from '#web/catalogue/pages-nav.tsx'
import { useApi } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StaffLayout } from '../staff-layout.tsx'
import { requireStillThere, StaffNotLoaded } from '../staff-not-loaded.tsx'
import { useStaffNews } from '../use-staff-news.ts'
import { queueInput, readQueue, writeQueue } from './queue-filter.ts'
import { QueueRow } from './queue-row.tsx'
import { QueueToolbar } from './queue-toolbar.tsx'

const QUEUE_KEY = 'staff-queue'

export async function loadQueue({ api, now, url }: LoaderInput): Promise<Seed<QueueReply>> {
  const choice = readQueue(url.searchParams)
  const seed = await loadSeed(now, api('GET /api/v1/staff/tickets', queueInput(choice)))
  if (seed.reply !== null) requirePage(choice.page, seed.reply.tickets.meta)
  return seed
}

export function Queue({ seed }: { seed: Seed<QueueReply> }) {
  const t = useTranslations('staff.queue')
  const api = useApi()
  const [params] = useSearchParams()
  const choice = readQueue(params)
  const query = useSeededQuery({
    name: QUEUE_KEY,
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/staff/tickets', queueInput(choice), { signal }),
  })
  requireStillThere(query)
  useStaffNews(QUEUE_KEY)
  const queue = query.data
  return (
    <StaffLayout title={t('title')}>
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <p role="status" className="text-muted">
          {queue === undefined ? null : t('waiting', { count: queue.waiting })}
        </p>
      </div>
      <QueueToolbar choice={choice} />
      {queue === undefined ? (
        <StaffNotLoaded query={query} skeletons={['h-18', 'h-17', 'h-16']} />
      ) : queue.tickets.data.length === 0 ? (
        writeQueue(choice) === '' ? (
          <EmptyState drawing="envelope" title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <EmptyState drawing="envelope" title={t('noneTitle')} text={t('noneText')} />
        )
      ) : (
        <ul className="divide-y divide-hairline overflow-hidden rounded border border-hairline bg-surface">
          {queue.tickets.data.map((ticket) => (
            <QueueRow key={ticket.id} ticket={ticket} />
          ))}
        </ul>
      )}
      {queue === undefined ? null : <PagesNav page={choice.page} lastPage={queue.tickets.meta.last_page} />}
    </StaffLayout>
  )
}
