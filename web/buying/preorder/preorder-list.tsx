import { useQueryClient } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PreorderRecord } from '#contract/preorder.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { newId } from '#web/house/new-id.ts'
import { applyPreorderToCache, type PreordersSeed } from '#web/live/apply-preorder.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { useInBrowser } from '#web/ui/lazy-part.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { StubButton } from '#web/ui/stub-button.tsx'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { ShownTimeZone } from '#web/ui/time/shown-time-zone.ts'
import { formatSeconds, isShort, secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { waitParts } from './preorder-terms.ts'
import { usePreorders } from './use-preorders.ts'

export function PreorderList({ seed }: { seed: PreordersSeed | null }) {
  const records = usePreorders(seed)
  const inBrowser = useInBrowser()
  if (records === undefined || records.length === 0) return null
  const places = (
    <div className="flex flex-col gap-2">
      {records.map(({ id }) => (
        <Skeleton key={id} className="h-20 w-full rounded sm:h-[62px]" />
      ))}
    </div>
  )
  if (!inBrowser) return places
  return (
    <WithAllTexts place={places}>
      <Preorders records={records} />
    </WithAllTexts>
  )
}

function Preorders({ records }: { records: readonly PreorderRecord[] }) {
  const t = useTranslations('preorder')
  return (
    <ul aria-label={t('list')} className="flex flex-col gap-2">
      {records.map((record) => (
        <li key={record.id}>
          <SlimTicket record={record} />
        </li>
      ))}
    </ul>
  )
}

function SlimTicket({ record }: { record: PreorderRecord }) {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const { service, country, operator, max_price, currency, state } = record
  return (
    <article
      data-preorder={record.id}
      className="flex items-center gap-3 rounded border border-dashed border-edge bg-surface py-2 pr-2 pl-4"
    >
      <Mark service={service} />
      <div className="min-w-0 flex-1 leading-snug">
        <p className="flex items-baseline gap-x-2">
          <span className="shrink-0 font-semibold">{service.name}</span>
          <span className="flex min-w-0 items-center gap-1.5 text-[14px] text-muted">
            <Flag iso2={country.iso2} size="tiny" />
            <span className="truncate">{operator === null ? country.name : `${country.name} · ${operator}`}</span>
          </span>
        </p>
        <p className="tabular text-[14px]">
          <WaitLeft record={record} />{' '}
          <span aria-hidden className="max-sm:hidden">
            ·{' '}
          </span>
          <span className="whitespace-nowrap max-sm:block">
            {t('notAbove', { price: formatMoney(max_price, currency, locale) })}
          </span>
        </p>
      </div>
      {state === 'buying' ? null : <CancelButton record={record} />}
    </article>
  )
}

function WaitLeft({ record: { state, deadline_at: until } }: { record: PreorderRecord }) {
  const t = useTranslations('preorder')
  const locale = useLocale()
  const timeZone = use(ShownTimeZone)
  const seconds = useAtNow((nowMs) => secondsUntil(until, nowMs))
  if (state === 'buying') return <span className="text-muted">{t('buying')}</span>
  if (seconds === 0) return <span className="text-muted">{t('ending')}</span>
  const { days, rest } = waitParts(seconds)
  const clock = formatSeconds(rest)
  return (
    <span className={isShort(seconds) ? 'text-soon' : 'text-muted'}>
      {t('waiting')}{' '}
      <time
        dateTime={until}
        role="timer"
        aria-live="off"
        title={formatMoment(until, { look: 'momentWithYear', locale, timeZone })}
        className="whitespace-nowrap"
      >
        {days === 0 ? clock : t('leftDays', { days, clock })}
      </time>
    </span>
  )
}

function CancelButton({ record }: { record: PreorderRecord }) {
  const t = useTranslations('preorder')
  const { pending, cancel } = useCancelPreorder(record)
  const names = { service: record.service.name, country: record.country.name }
  return (
    <div className="grid min-w-26">
      <StubButton closed={pending} label={t('cancelLabel', names)} onPress={() => inBackground(cancel())}>
        {t('cancel')}
      </StubButton>
    </div>
  )
}

function useCancelPreorder({ id }: PreorderRecord): { pending: boolean; cancel: () => Promise<void> } {
  const api = useApi()
  const confirm = useConfirm()
  const fail = useFailure()
  const queryClient = useQueryClient()
  const t = useTranslations('preorder')
  const [pending, setPending] = useState(false)
  const busy = useRef(false)

  async function cancel(): Promise<void> {
    if (busy.current) return
    busy.current = true
    try {
      if (!(await confirm({ text: t('confirmCancel'), action: t('cancel') }))) return
      setPending(true)
      const { data } = await api('POST /api/v1/preorders/{id}/cancel', { id }, { idempotencyKey: newId() })
      applyPreorderToCache(queryClient, data)
      inBackground(refetch(queryClient, { queryKey: ['user'] }))
    } catch (error) {
      fail(error)
      inBackground(refetch(queryClient, { queryKey: ['preorders'] }))
    } finally {
      busy.current = false
      setPending(false)
    }
  }
  return { pending, cancel }
}
