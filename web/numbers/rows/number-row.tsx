import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { FULL_NUMBER, RentMark } from '#web/numbers/rent-ticket/rent-mark.tsx'
import { RentTimeLeft } from '#web/numbers/rent-ticket/rental-stub.tsx'
import { TicketHoles } from '#web/numbers/ticket/ticket-holes.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Countdown } from '#web/ui/time/countdown.tsx'
import { ActivationRowButtons } from './activation-row-buttons.tsx'
import { RentalRowButtons } from './rental-row-buttons.tsx'
import { RowCode } from './row-code.tsx'
import { RowWords, shownMessage } from './row-words.tsx'

export type NumberRowProps = {
  record: NumberRecord
  endsAt: string
  isChosen: boolean
  isOpen: boolean
  isBusy: boolean
  failure: string | null
  dismissible: boolean
  onChoose: (id: number, isChosen: boolean, isRange: boolean) => void
  onOpen: (id: number) => void
}

/** A number in one line. A press beside its buttons opens the whole ticket below it. */
export const NumberRow = memo(function NumberRow(props: NumberRowProps) {
  const { record, endsAt, isChosen, isOpen, isBusy, failure, onChoose, onOpen } = props
  const t = useTranslations('rows')
  const name = useRowName(record)
  const kind = 'expires_at' in record ? 'activation' : 'rental'
  return (
    <div
      className="number-row"
      data-look={lookOf(record)}
      data-code={hasCode(record) || undefined}
      data-busy={isBusy || undefined}
      {...{ [`data-${kind}`]: record.id }}
    >
      <label className="row-check" title={t('choose', { name })}>
        <input
          type="checkbox"
          className="size-4 accent-(--signal-fill)"
          aria-label={t('choose', { name })}
          checked={isChosen}
          // A click tells whether Shift is held; the event of a change does not.
          onClick={({ currentTarget, shiftKey }) => onChoose(record.id, currentTarget.checked, shiftKey)}
          onChange={() => undefined}
        />
      </label>
      <span className="row-mark">
        <RentMark service={record.service} />
        <Flag iso2={record.country.iso2} size="tiny" />
      </span>
      <div className="row-id">
        <RowPhone record={record} />
        <button
          type="button"
          className="row-open"
          aria-expanded={isOpen}
          aria-label={t('open', { name })}
          title={shownMessage(record)?.text}
          onClick={() => onOpen(record.id)}
        >
          <span className="row-words">
            <Price amount={record.refunded ?? record.price} currency={record.currency} className="row-words-price" />
            <span className="row-words-text">
              {isBusy ? t('cancelling') : <RowWords record={record} endsAt={endsAt} failure={failure} />}
            </span>
          </span>
        </button>
      </div>
      <RowValue record={record} />
      <RowPrice record={record} />
      {'expires_at' in record ? (
        <ActivationRowButtons record={record} name={name} />
      ) : (
        <RentalRowButtons record={record} name={name} dismissible={props.dismissible} />
      )}
      <TicketHoles record={record} endsAt={endsAt} short={'expiring' in record ? record.expiring : undefined} />
    </div>
  )
})

function useRowName({ service, phone, country }: NumberRecord): string {
  const t = useTranslations('rent')
  const named = service.id === FULL_NUMBER ? t('anyService') : service.name
  return phone === null ? named : `${named} ${formatPhone(phone, country.dial)}`
}

function lookOf(record: NumberRecord): 'waiting' | 'received' | 'ended' {
  if (record.final) return 'ended'
  return hasCode(record) ? 'received' : 'waiting'
}

function hasCode({ code, state, refunded }: NumberRecord): boolean {
  return code !== null && refunded === undefined && state !== 'waiting_again'
}

function RowPhone({ record: { phone, country, service } }: { record: NumberRecord }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(phone ?? '')
  if (phone === null) return <span className="row-phone truncate">{service.name}</span>
  return (
    <button type="button" className="row-phone tabular" title={t('copyPhone')} onClick={copy}>
      <span className={copied ? 'invisible' : undefined}>{formatPhone(phone, country.dial)}</span>
      <span className="row-phone-told" aria-live="polite">
        {copied ? `${t('copied')} ✓` : null}
      </span>
    </button>
  )
}

function RowValue({ record }: { record: NumberRecord }) {
  if (record.code !== null && hasCode(record)) {
    return (
      <div className="row-value">
        <RowCode code={record.code} />
      </div>
    )
  }
  return (
    <div className="row-value">
      {record.final ? null : <TimeLeft record={record} look="text-[17px] font-semibold" />}
    </div>
  )
}

function RowPrice({ record }: { record: NumberRecord }) {
  return (
    <div className="row-price">
      <Price amount={record.refunded ?? record.price} currency={record.currency} />
      {!record.final && hasCode(record) ? <TimeLeft record={record} look="text-muted" /> : null}
    </div>
  )
}

function TimeLeft({ record, look }: { record: NumberRecord; look: string }) {
  if ('expires_at' in record) return <Countdown at={record.expires_at} className={look} />
  return <RentTimeLeft at={record.expired_date} short={record.expiring} className={look} />
}
