import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { BuyerCard, StaffTicket } from '#contract/staff/staff-room.ts'
import { Link } from '#web/navigation/link.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { BuyerNumber } from './buyer-number.tsx'

/** Shows what staff need to know about the buyer, and nothing that lets them act as the buyer. */
export function BuyerPanel({ ticket }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.card')
  const { buyer } = ticket
  return (
    <aside
      aria-label={t('title')}
      className="grid gap-5 rounded border border-hairline bg-surface p-4 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
    >
      <div>
        <h2 className="text-lg font-semibold wrap-anywhere">{buyer.name === '' ? `#${buyer.id}` : buyer.name}</h2>
        {buyer.blocked || buyer.deleted ? (
          <p className="font-semibold text-error">{t(buyer.deleted ? 'deleted' : 'blocked')}</p>
        ) : null}
        <Facts buyer={buyer} />
      </div>
      <section aria-labelledby="buyer-numbers">
        <h3 id="buyer-numbers" className="mb-1 font-semibold">
          {t('numbers')}
        </h3>
        <RefundHint ticket={ticket} />
        {buyer.numbers.length === 0 ? (
          <p className="text-muted">{t('noNumbers')}</p>
        ) : (
          <ul className="divide-y divide-hairline">
            {buyer.numbers.map((number) => (
              <BuyerNumber key={`${number.kind} ${number.id}`} number={number} ticket={ticket} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="buyer-payments">
        <h3 id="buyer-payments" className="mb-1 font-semibold">
          {t('payments')}
        </h3>
        <Payments buyer={buyer} />
      </section>
    </aside>
  )
}

function Facts({ buyer }: { buyer: BuyerCard }) {
  const t = useTranslations('staff.card')
  const { currency, email } = buyer
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[15px]">
      <Fact name={t('id')}>{buyer.id}</Fact>
      <Fact name={t('email')}>{email ?? t('noEmail')}</Fact>
      <Fact name={t('language')}>{t(`languages.${buyer.locale}`)}</Fact>
      <Fact name={t('balance')}>
        <Price amount={buyer.balance} currency={currency} />
      </Fact>
      <Fact name={t('held')}>
        <Price amount={buyer.held} currency={currency} />
      </Fact>
      {Number(buyer.debt) === 0 ? null : (
        <Fact name={t('debt')}>
          <Price amount={buyer.debt} currency={currency} className="text-error" />
        </Fact>
      )}
      <Fact name={t('registered')}>
        <LocalMoment at={buyer.registered_at} withYear />
      </Fact>
      <Fact name={t('tickets')}>
        <Link
          to={`/staff/tickets?${new URLSearchParams({ state: 'all', search: `#${buyer.id}` })}`}
          className="inline-flex min-h-6 min-w-6 items-center justify-end underline underline-offset-4"
        >
          {buyer.tickets_count}
        </Link>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right tabular wrap-anywhere">{children}</dd>
    </>
  )
}

function RefundHint({ ticket: { cap, refunded, buyer } }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.card')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, buyer.currency, locale)
  if (cap === null && Number(refunded) === 0) return null
  return (
    <p className="mb-1 text-sm text-muted">
      {cap === null
        ? t('refundedHere', { refunded: money(refunded) })
        : t('capHint', { cap: money(cap), refunded: money(refunded) })}
    </p>
  )
}

function Payments({ buyer: { payments, currency } }: { buyer: BuyerCard }) {
  const t = useTranslations('staff')
  if (payments.length === 0) return <p className="text-muted">{t('card.noPayments')}</p>
  return (
    <ul className="divide-y divide-hairline text-[15px]">
      {payments.map((payment) => (
        <li key={payment.transaction_id} className="py-2">
          {payment.about ? <p className="text-sm font-semibold text-signal">{t('card.about')}</p> : null}
          <p className="flex justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">{payment.system}</span>
            <Price amount={payment.sum} currency={currency} />
          </p>
          <p className="flex justify-between gap-3 text-sm text-muted">
            <span>{t(`payments.${payment.state}`)}</span>
            <LocalMoment at={payment.created_at} />
          </p>
          <p className="font-mono text-[12px] text-muted wrap-anywhere">{payment.transaction_id}</p>
        </li>
      ))}
    </ul>
  )
}
