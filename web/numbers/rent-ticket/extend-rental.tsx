import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { ExtensionsReply, RentalRecord } from '#contract/rental.ts'
import { type Pressing, usePress } from '#web/buying/initial/use-press.ts'
import { PressNote } from '#web/buying/press/press-note.tsx'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { RENTALS } from '#web/numbers/list/number-kind.ts'
import { useRecord } from '#web/numbers/list/use-record.ts'
import { refetch } from '#web/session/refetch.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { usePeriodWords } from '#web/ui/time/period.ts'

type ExtendRentalProps = { id: number; onDone: () => void }

export function ExtendRental({ id, onDone }: ExtendRentalProps) {
  const t = useTranslations('rent.extend')
  const api = useApi()
  const rental = useRecord(RENTALS, id)
  const record = rental.data?.data
  const extensions = useQuery({
    // The query key has `expired_date`, because an extension in another tab changes the end of every period.
    queryKey: extensionsKey(id, record?.expired_date),
    queryFn: ({ signal }) => api('GET /api/v1/rentals/{id}/extensions', { id }, { signal }),
    enabled: record !== undefined && !record.final,
    staleTime: 0,
  })
  const [wanted, setWanted] = useState<number>(DEFAULT_RENT_PERIOD_HOURS)
  const offered = extensions.data?.data
  const chosen = offered?.periods.find(({ period }) => period === wanted) ?? offered?.periods[0]
  // A press without a reply keeps its idempotency key here, because the form unmounts while the periods load again.
  const extension = useExtension(id, chosen?.period ?? wanted, onDone)
  const failed = rental.isError ? rental : extensions
  if (failed.isError && failed.data === undefined) {
    return (
      <EmptyState kind="error" title={t('failed')}>
        <Button onClick={() => inBackground(failed.refetch())}>{t('retry')}</Button>
      </EmptyState>
    )
  }
  if (record?.final) return <p>{t('endedText')}</p>
  if (record === undefined || offered === undefined) return <ExtendSkeleton />
  if (chosen === undefined) return <EmptyState drawing="ticket" title={t('noneTitle')} text={t('noneText')} />
  return <ExtendForm record={record} offered={offered} chosen={chosen} extension={extension} onChoose={setWanted} />
}

function extensionsKey(id: number, until?: string): readonly unknown[] {
  return ['extensions', id, ...(until === undefined ? [] : [until])]
}

function ExtendSkeleton() {
  return (
    <div className="flex flex-col gap-3" aria-busy="true">
      <Skeleton className="h-11" />
      <Skeleton className="h-52" />
      <Skeleton className="h-12" />
    </div>
  )
}

type ExtendFormProps = {
  record: RentalRecord
  offered: ExtensionsReply['data']
  chosen: ExtensionsReply['data']['periods'][number]
  extension: Pressing<{ period: number; price: string }>
  onChoose: (hours: number) => void
}

function ExtendForm({ record, offered: { periods, currency }, chosen, extension, onChoose }: ExtendFormProps) {
  const t = useTranslations('rent.extend')
  const locale = useLocale()
  const { outcome, pending } = extension
  // After PRICE_CHANGED the dialog shows the price from that error until the next reply about prices.
  const changed = outcome?.kind === 'price-changed' && outcome.before === chosen.price ? outcome.price : null
  const price = changed ?? chosen.price

  function submit(event: FormEvent): void {
    event.preventDefault()
    extension.press({ period: chosen.period, price }, currency)
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <p>
        <span className="tabular block text-lg font-semibold">
          {record.phone === null ? record.service.name : formatPhone(record.phone, record.country.dial)}
        </span>
        <span className="text-muted">
          {t('now')} <LocalMoment at={record.expired_date} />
        </span>
      </p>
      <fieldset>
        <legend className="sr-only">{t('choose')}</legend>
        {periods.map((offer) => (
          <ExtendRow
            key={offer.period}
            offer={offer === chosen ? { ...offer, price } : offer}
            currency={currency}
            checked={offer === chosen}
            onCheck={() => onChoose(offer.period)}
          />
        ))}
      </fieldset>
      <div aria-live="polite" className="empty:hidden">
        {outcome === null ? null : <PressNote outcome={outcome} />}
      </div>
      <Button
        type="submit"
        kind="primary"
        className="tabular min-h-12 w-full text-[16px]"
        aria-disabled={pending}
        aria-busy={pending}
      >
        {pending ? t('pressing') : t('press', { price: formatMoney(price, currency, locale) })}
      </Button>
    </form>
  )
}

type ExtendRowProps = {
  offer: ExtensionsReply['data']['periods'][number]
  currency: ExtensionsReply['data']['currency']
  checked: boolean
  onCheck: () => void
}

function ExtendRow({ offer: { period, price, until }, currency, checked, onCheck }: ExtendRowProps) {
  const t = useTranslations('rent')
  const words = usePeriodWords()
  return (
    <label className="flex min-h-13 cursor-pointer items-center gap-3 border-t border-hairline px-2 leading-[1.3] first-of-type:border-t-0 hover:bg-sunken has-checked:bg-sunken">
      <input
        type="radio"
        name="period"
        checked={checked}
        onChange={onCheck}
        className="size-4 accent-(--signal-fill)"
      />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{words(period)}</span>
        <span className="block text-[13px] text-muted">
          {t('until')} <LocalMoment at={until} />
        </span>
      </span>
      <Price amount={price} currency={currency} className="font-semibold" />
    </label>
  )
}

/** Extends a rental. An outcome belongs to the period for which the button was pressed. */
function useExtension(id: number, period: number, onDone: () => void): Pressing<{ period: number; price: string }> {
  const t = useTranslations('rent.extend')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  return usePress<{ period: number; price: string }>({
    about: `extend-${id}-${period}`,
    send: async ({ input, idempotencyKey }) => {
      const { data } = await api('POST /api/v1/rentals/{id}/extend', { id, ...input }, { idempotencyKey })
      applyRecordToCache(queryClient, 'rental', data)
    },
    onDone: () => {
      alerts.add({ type: 'info', text: t('done') })
      onDone()
    },
    onSettled: () => {
      inBackground(refetch(queryClient, { queryKey: ['user'] }))
      inBackground(refetch(queryClient, { queryKey: extensionsKey(id) }))
    },
  })
}
