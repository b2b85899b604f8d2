import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { SECOND } from '#contract/time.ts'
import { WEBHOOK_DELIVERY_KEEP_DAYS, type WebhookDelivery } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { TextButton } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { wordOf } from './webhook-form.tsx'

const REFRESH_MS = 15 * SECOND
/** The polling interval until a delivery's first attempt, because a test delivery takes only moments. */
const SOON_MS = 2 * SECOND

export function Deliveries({ id }: { id: number }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ signal, pageParam }) =>
      api('GET /api/v1/webhooks/{id}/deliveries', { id, ...(pageParam !== null && { before: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((one) => one.state === 'waiting' && one.tries === 0) ? SOON_MS : REFRESH_MS,
    gcTime: 0,
  })
  const deliveries = query.data?.pages.flatMap(({ data }) => data)
  if (deliveries === undefined) {
    return (
      <div className="mt-4">
        <NotLoaded query={query} skeletons={['h-11', 'h-10']} />
      </div>
    )
  }
  if (deliveries.length === 0) return <p className="mt-4 text-muted">{t('noDeliveries')}</p>
  return (
    <div className="mt-4">
      <ol className="divide-y divide-hairline rounded border border-hairline bg-surface px-4 py-1 text-sm">
        {deliveries.map((delivery) => (
          <DeliveryLine key={delivery.id} endpointId={id} delivery={delivery} />
        ))}
      </ol>
      {query.hasNextPage ? (
        <TextButton aria-disabled={query.isFetchingNextPage} onClick={() => inBackground(query.fetchNextPage())}>
          {t('older')}
        </TextButton>
      ) : null}
      <p className="mt-2 text-sm text-muted">{t('logText', { days: WEBHOOK_DELIVERY_KEEP_DAYS })}</p>
    </div>
  )
}

const LOOKS = { delivered: 'text-received', waiting: 'text-soon', failed: 'text-error' } as const

function DeliveryLine({ endpointId, delivery }: { endpointId: number; delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks')
  const { event, at, state, next_at: nextAt, body, reply } = delivery
  return (
    <li className="py-1">
      <details>
        <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3">
          <LocalMoment at={at} className="min-w-24 text-muted" />
          <span className="min-w-0 flex-1 basis-36">{t(`events.${wordOf(event)}`)}</span>
          <span className={LOOKS[state]}>
            <Result delivery={delivery} />
          </span>
          <ChevronDown size={16} aria-hidden className="text-muted" />
        </summary>
        <div className="grid gap-3 pb-3">
          <Words title={t('sent')} text={body} />
          {reply === null || reply === '' ? null : <Words title={t('answered')} text={reply} />}
          <p className="text-muted">
            {t('tries', { count: delivery.tries })}
            {nextAt === null ? null : <>. {t.rich('nextTry', { at: () => <LocalMoment at={nextAt} /> })}</>}
          </p>
          <Replay endpointId={endpointId} id={delivery.id} />
        </div>
      </details>
    </li>
  )
}

function Result({ delivery: { state, status, failure, tries, took_ms: tookMs } }: { delivery: WebhookDelivery }) {
  const t = useTranslations('webhooks')
  if (state === 'delivered') return t('delivered', { status: status ?? 0, ms: tookMs ?? 0 })
  if (state === 'waiting' && tries === 0) return t('underWay')
  return failure === 'status' || failure === null ? t('refused', { status: status ?? 0 }) : t(`failures.${failure}`)
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-muted">{title}</p>
      <pre className="max-h-60 overflow-auto rounded bg-sunken p-3 font-mono text-[13px] leading-snug break-all whitespace-pre-wrap">
        {text}
      </pre>
    </div>
  )
}

/** Repeats a delivery with the same id, so that a program can recognise an event that it has already received. */
function Replay({ endpointId, id }: { endpointId: number; id: number }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function replay(): Promise<void> {
    await api('POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay', { id: endpointId, delivery: id })
    await refetch(queryClient, { queryKey: ['webhooks', 'deliveries', endpointId] })
  }
  return (
    <TextButton aria-disabled={pending} onClick={() => once(replay)}>
      {t('replay')}
    </TextButton>
  )
}
