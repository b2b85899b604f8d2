import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney, parseDecimal } from '#contract/money.ts'
import type { CardNumber, StaffTicket } from '#contract/staff/staff-room.ts'
import { useAlerts, useApi, useConfirm } from '#web/house/app-context.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { useTicketCall } from '../use-ticket-call.ts'
import { Timeline } from './timeline.tsx'

export function BuyerNumber({ number, ticket }: { number: CardNumber; ticket: StaffTicket }) {
  const t = useTranslations('staff')
  const [isOpen, setIsOpen] = useState(false)
  const { service, country, id, phone } = number
  return (
    <li className="py-2.5 text-[15px]" data-order={`${number.kind}:${id}`}>
      {number.about ? <p className="mb-1 text-sm font-semibold text-signal">{t('card.about')}</p> : null}
      <div className="flex items-start gap-2.5">
        <Mark service={service} />
        <div className="min-w-0 flex-1">
          <p className="flex justify-between gap-3">
            <span className="min-w-0 font-medium wrap-anywhere">{service.name}</span>
            <Price amount={number.price} currency={ticket.buyer.currency} />
          </p>
          <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
            <Flag iso2={country.iso2} size="tiny" />
            {country.name}
            {number.about ? null : (
              <>
                <span className="tabular">{phone === null ? t('card.noPhone') : shown(phone, country.dial)}</span>
                <span className="ml-auto font-mono text-[12px]">{id}</span>
              </>
            )}
          </p>
          {number.about ? <Facts number={number} /> : null}
          <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
            <span>
              {t(`orders.${number.state}`)}, {t('card.messages', { count: number.messages_count })}
            </span>
            <LocalMoment at={number.created_at} />
          </p>
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <TextButton
              aria-expanded={isOpen}
              aria-label={t('card.timelineOf', { service: service.name, id: String(id) })}
              onClick={() => setIsOpen(!isOpen)}
            >
              {t('card.timeline')}
            </TextButton>
            <Refund number={number} ticket={ticket} />
          </div>
          {isOpen ? <Timeline ticket={ticket} number={number} /> : null}
        </div>
      </div>
    </li>
  )
}

function Facts({ number: { kind, id, phone, country, supplier } }: { number: CardNumber }) {
  const t = useTranslations('staff.card')
  const order = kind === 'rental' ? `rental:${id}` : String(id)
  return (
    <dl className="my-1 grid grid-cols-[auto_1fr_auto] items-center gap-x-3 text-sm">
      <Fact name={t('order')} copied={order} label={t('copyOrder')} look="font-mono">
        {order}
      </Fact>
      {phone === null ? null : (
        <Fact name={t('phone')} copied={phone} label={t('copyPhone')} look="tabular">
          {formatPhone(phone, country.dial)}
        </Fact>
      )}
      {supplier === null ? null : (
        <Fact name={t('supplier')} copied={supplier} label={t('copySupplier')} look="font-mono">
          {supplier}
        </Fact>
      )}
    </dl>
  )
}

type FactProps = { name: string; copied: string; label: string; look: string; children: string }

function Fact({ name, copied, label, look, children }: FactProps) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={`min-w-0 wrap-anywhere ${look}`}>{children}</dd>
      <dd className="-my-1">
        <CopyButton text={copied} label={label} />
      </dd>
    </>
  )
}

/** Formats a phone number. A masked number stays as it is, because it is not a valid number. */
function shown(phone: string, dial: string): string {
  return phone.includes('*') ? `+${phone}` : formatPhone(phone, dial)
}

/** Refunds with one press. The server decides, and the page only disables a press that the server would refuse. */
function Refund({ number, ticket }: { number: CardNumber; ticket: StaffTicket }) {
  const t = useTranslations('staff.card')
  const locale = useLocale()
  const api = useApi()
  const alerts = useAlerts()
  const confirm = useConfirm()
  const { pending, change } = useTicketCall()
  const { refundable, service, kind, id: order } = number
  const { currency } = ticket.buyer
  if (number.refunded && refundable === null)
    return <p className="text-sm font-medium text-received">{t('refunded')}</p>
  if (refundable === null || !ticket.can_refund) return null
  const amount = formatMoney(refundable, currency, locale)
  if (isOverCap(ticket, refundable)) return <p className="text-sm text-muted">{t('overCap', { amount })}</p>
  const words = t('refundOf', { amount, service: service.name, id: String(order) })
  async function refund(): Promise<void> {
    if (!(await confirm({ text: `${words}?`, action: t('refund', { amount }) }))) return
    const given = await api('POST /api/v1/staff/tickets/{id}/refund', { id: ticket.id, kind, order })
    const money = (sum: string) => formatMoney(sum, given.currency, locale)
    alerts.add({ type: 'info', text: t('refundDone', { amount: money(given.amount), balance: money(given.balance) }) })
  }
  return (
    <Button aria-label={words} aria-disabled={pending} aria-busy={pending} onClick={() => change(refund)}>
      {t('refund', { amount })}
    </Button>
  )
}

function isOverCap({ cap, refunded }: StaffTicket, refundable: string): boolean {
  if (cap === null) return false
  const micros = (amount: string) => parseDecimal(amount) ?? 0n
  return micros(refunded) + micros(refundable) > micros(cap)
}
