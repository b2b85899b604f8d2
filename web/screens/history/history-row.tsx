import { useLocale, useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { HistoryItem } from '#contract/past/history.ts'
import { useDialogs } from '#web/house/app-context.ts'
import { RepeatButton } from '#web/numbers/ticket/repeat-button.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { periodParts } from '#web/ui/time/period.ts'

export function HistoryRow({ item }: { item: HistoryItem }) {
  const { service, country, operator, phone } = item
  const t = useTranslations('history')
  return (
    <tr className="past-row hover:bg-sunken" data-purchase={item.id}>
      <td data-cell="at" className="max-lg:text-right max-lg:text-[13px]">
        <LocalMoment at={item.created_at} className="text-muted" />
      </td>
      <td data-cell="service" className="flex items-center gap-3">
        <Mark service={service} />
        <span className="min-w-0">
          <OpenButton item={item} />
          <span className="block text-[13px] text-muted">
            <span className="font-mono text-[12px]">{t('number', { id: String(item.id) })}</span>
            {item.hours === null ? null : (
              <span className="max-lg:block">
                <span className="max-lg:hidden"> · </span>
                {rentedWords(t, item.hours)}
              </span>
            )}
          </span>
        </span>
      </td>
      <td data-cell="country" className="flex items-center gap-2 max-lg:text-[14px] max-lg:text-muted">
        <Flag iso2={country.iso2} size="tiny" />
        <span className="dotted min-w-0 wrap-anywhere">
          <span>{country.name}</span>
          {operator === null ? null : <span>{operator}</span>}
        </span>
      </td>
      <td data-cell="phone" className="tabular whitespace-nowrap">
        {phone === null ? <span className="text-muted">{t('noPhone')}</span> : formatPhone(phone, country.dial)}
        {item.can_repeat ? (
          <span className="-mb-2 block">
            <RepeatButton source={item} className="relative z-1 text-[14px]" />
          </span>
        ) : null}
      </td>
      <td data-cell="result" className="max-lg:text-right">
        <Result item={item} />
      </td>
      <td data-cell="paid" className="text-right">
        <span className="block text-[13px] text-muted lg:hidden">{t('charged')}</span>
        <Paid item={item} />
      </td>
    </tr>
  )
}

function OpenButton({ item }: { item: HistoryItem }) {
  const t = useTranslations('history')
  const { open } = useDialogs()
  const { id, mode, service, phone, country } = item
  const label =
    phone === null
      ? t('openWithoutPhone', { service: service.name, id: String(id) })
      : t('open', { service: service.name, phone: formatPhone(phone, country.dial) })
  return (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="dialog"
      className="block max-w-full wrap-anywhere text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-signal"
      onClick={() => open('activation', { kind: mode === 'rent' ? 'rental' : 'activation', id })}
    >
      {service.name}
    </button>
  )
}

function Result({ item }: { item: HistoryItem }) {
  const t = useTranslations('history')
  const { code, messages_count: count, state } = item
  const stateWord = t(`state.${state}`)
  if (code === null && count === 0) {
    return <span className={item.outcome === 'active' ? '' : 'text-muted'}>{stateWord}</span>
  }
  const words = [
    ...(code !== null && count > 1 ? [t('messages', { count })] : []),
    // The state "received" is omitted, because the shown code implies it.
    ...(state === 'received' ? [] : [stateWord]),
  ]
  return (
    <>
      {code === null ? (
        <span className="block text-received">{t('messages', { count })}</span>
      ) : (
        <span className="block font-mono font-semibold text-received">{code}</span>
      )}
      <span className="text-[13px] text-muted max-lg:*:block lg:dotted">
        {words.map((word) => (
          <span key={word}>{word}</span>
        ))}
      </span>
    </>
  )
}

function Paid({ item }: { item: HistoryItem }) {
  const t = useTranslations('history')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, item.currency, locale)
  if (item.refunded !== null) {
    const isWhole = Number(item.paid) === 0
    return (
      <>
        {isWhole ? (
          <span className="block text-muted">{t('nothingPaid')}</span>
        ) : (
          <Price amount={item.paid} currency={item.currency} className="font-semibold" />
        )}
        <span className="tabular block text-[13px] text-received">
          {t('refunded', { amount: money(item.refunded) })}
        </span>
      </>
    )
  }
  if (item.outcome !== 'returned') {
    const isHeld = item.money === 'held'
    return (
      <>
        <Price amount={item.paid} currency={item.currency} className={isHeld ? 'block' : 'font-semibold'} />
        {isHeld ? <span className="block text-[13px] text-muted">{t('setAside')}</span> : null}
      </>
    )
  }
  return (
    <>
      <span className="block text-muted">{t('nothingPaid')}</span>
      <span className="tabular block text-[13px] text-muted">{t('returned', { amount: money(item.price) })}</span>
    </>
  )
}

function rentedWords(t: ReturnType<typeof useTranslations<'history'>>, hours: number): string {
  const { unit, count } = periodParts(hours)
  return t(`rented.${unit}`, { count })
}
