import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { HOUR } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { useFailure } from '#web/session/use-failure.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { Countdown } from '#web/ui/time/countdown.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { CodeForm } from './code-form.tsx'
import { refreshPayments } from './use-payments.ts'

type OpenPaymentProps = {
  payment: PaymentRecord
  /** True if a press on this page has led to the payment. */
  takesFocus: boolean
  onFocused: () => void
}

export function OpenPayment({ payment, takesFocus, onFocused }: OpenPaymentProps) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const { pending, close } = useClose(payment)
  const { redirect_url: redirectUrl, instructions } = payment
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    section.current?.focus()
    onFocused()
  }, [takesFocus, onFocused])
  return (
    // The element is an article instead of a landmark, because a page may have several open payments.
    <article
      ref={section}
      tabIndex={-1}
      aria-label={t('open')}
      data-payment={payment.transaction_id}
      className="scroll-mt-20 rounded border border-signal bg-surface p-4 outline-none sm:p-5"
    >
      <div className="flex items-start gap-3 sm:items-center">
        <SystemMark mark={payment.mark} />
        <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
          <h2 className="font-semibold">{t('openOf', { name: payment.name })}</h2>
          <p className="tabular text-lg font-semibold whitespace-nowrap">
            {formatMoney(payment.sum, payment.currency, locale)}
          </p>
          <p className="basis-full text-sm text-muted">
            <Progress payment={payment} />
          </p>
        </div>
      </div>
      {instructions === null ? null : <Instructions {...instructions} />}
      <CodeForm payment={payment} />
      <div className="mt-4 flex flex-wrap gap-2 max-sm:*:grow">
        {redirectUrl === null ? null : (
          <a href={redirectUrl} className={`${buttonLook(payment.address === null ? 'primary' : 'plain')} min-h-11`}>
            {t('goOn')}
          </a>
        )}
        {payment.state === 'confirming' ? null : (
          <Button aria-disabled={pending} onClick={() => inBackground(close())} className="min-h-11">
            {t('close')}
          </Button>
        )}
      </div>
    </article>
  )
}

export function Progress({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('topUp')
  return (
    <>
      {payment.state === 'confirming' ? t('confirming') : t('waits')} <TimeLeft at={payment.expired_at} />
    </>
  )
}

function TimeLeft({ at }: { at: string }) {
  const t = useTranslations('topUp')
  const isSoon = useAtNow((nowMs) => Date.parse(at) - nowMs < HOUR)
  return (
    <span className="whitespace-nowrap">
      {isSoon ? t('left') : t('until')}{' '}
      {isSoon ? <Countdown at={at} className="font-semibold" /> : <LocalMoment at={at} />}
    </span>
  )
}

function Instructions({ reference, text, rows }: NonNullable<PaymentRecord['instructions']>) {
  const t = useTranslations('topUp')
  const lines = [...rows, { label: t('reference'), value: reference }]
  return (
    <>
      <p className="mt-4 max-w-prose whitespace-pre-line">{text}</p>
      <dl className="mt-3 divide-y divide-hairline border-y border-hairline">
        {lines.map(({ label, value }) => (
          <div key={label} className="py-1.5">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="flex items-center justify-between gap-2">
              <span className="min-w-0 font-mono break-words">{value}</span>
              <CopyButton text={value} label={t('copy', { what: label })} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Closes the payment. Money that arrives later is credited all the same. */
function useClose({ transaction_id }: PaymentRecord) {
  const api = useApi()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  async function close(): Promise<void> {
    if (pending) return
    setPending(true)
    try {
      await api('POST /api/v1/payments/{transaction_id}/cancel', { transaction_id })
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
      inBackground(refreshPayments(queryClient))
    }
  }
  return { pending, close }
}
