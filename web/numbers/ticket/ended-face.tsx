import { useTranslations } from 'use-intl'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { Postmark } from '#web/ui/drawings/postmark.tsx'
import { Price } from '#web/ui/initial/price.tsx'

export function EndedFace({ record, words }: { record: NumberRecord; words: string }) {
  const t = useTranslations('ticket')
  return (
    <>
      <Postmark className="pointer-events-none absolute top-3 left-[calc(100%-5.5rem)] h-28 text-hairline" />
      <p className="ticket-value relative text-lg leading-tight font-semibold">
        <span className="over-stamp">{words}</span>
      </p>
      <p className="ticket-help relative text-muted">
        <span className="over-stamp">
          {record.refunded === undefined ? (record.money === 'released' ? t('moneyReturned') : null) : t('paidBack')}{' '}
          <Price amount={record.refunded ?? record.price} currency={record.currency} />
        </span>
      </p>
    </>
  )
}
