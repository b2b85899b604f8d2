import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from '#web/numbers/list/number-kind.ts'
import { useRecord } from '#web/numbers/list/use-record.ts'
import { ClosedNotice } from '#web/numbers/ticket/closed-notice.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listedMessages } from './notices.ts'
import { Folded, MessageCards } from './ticket-messages.tsx'

export function NumberMessages<Item extends NumberRecord>({ kind, id }: { kind: NumberKind<Item>; id: number }) {
  const t = useTranslations('ticket')
  const tDialog = useTranslations('activationDialog')
  const query = useRecord(kind, id)
  if (query.isError && query.data === undefined) {
    return (
      <EmptyState kind="error" title={t('messagesFailed')}>
        <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
      </EmptyState>
    )
  }
  if (query.data === undefined) {
    return (
      <div className="flex flex-col gap-3" aria-busy="true">
        <Skeleton className="h-10 w-64 max-w-full" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    )
  }
  const record: NumberRecord = query.data.data
  const { service, country, phone, final } = record
  const messages = listedMessages(record)
  const isRented = 'messages_count' in record
  const count = isRented ? record.messages_count : messages.length
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-3">
        <kind.ServiceMark service={service} size="large" />
        <span className="leading-tight">
          <span className="block font-semibold">{service.name}</span>
          <span className="tabular text-muted">{phone === null ? country.name : formatPhone(phone, country.dial)}</span>
        </span>
      </p>
      {count > messages.length && messages.length > 0 ? (
        <p className="text-[13px] text-muted">{tDialog('newest', { shown: messages.length, count })}</p>
      ) : null}
      {isRented ? null : <ClosedNotice record={record} />}
      {messages.length === 0 ? (
        <p className="text-muted">{final ? tDialog('noMessages') : t('waiting')}</p>
      ) : (
        <MessageCards messages={messages} />
      )}
      <Folded count={record.folded} />
    </div>
  )
}
