import { useTranslations } from 'use-intl'
import type { NumberRecord } from '../../live/numbers-shelf.ts'
import { Price } from '../price.tsx'
import { Postmark } from './postmark.tsx'

/** The stub of a ticket that is over: how it ended, and where the money is. */
export function EndedFace({ record, words }: { record: NumberRecord; words: string }) {
  const t = useTranslations('ticket')
  return (
    <>
      <Postmark className="pointer-events-none absolute -right-10 top-1/2 h-28 -translate-y-1/2 text-hairline" />
      <p className="relative text-lg font-semibold leading-tight">{words}</p>
      <p className="relative text-[14px] text-muted">
        {record.money === 'released' ? t('moneyReturned') : null}{' '}
        <Price amount={record.price} currency={record.currency} />
      </p>
    </>
  )
}
