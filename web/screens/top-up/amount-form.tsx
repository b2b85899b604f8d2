import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import {
  type BonusRuleRecord,
  MAX_OPEN_PAYMENTS,
  type PaymentRecord,
  type PaymentReply,
  type PaymentSystemRecord,
} from '#contract/payment.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { isOfCents, readAmount, shortAmount, shortMoney, writeAmount } from '#web/money/amount-text.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS } from '#web/ui/initial/price.tsx'
import { firstAmount, isWithin, quickAmounts, termsOf } from './amounts.ts'
import { refreshPayments } from './use-payments.ts'

type AmountFormProps = {
  system: PaymentSystemRecord
  bonuses: readonly BonusRuleRecord[]
  /** The typed text; null until the user types. Until then the field shows the first amount of the payment system. */
  typed: string | null
  onTyped: (text: string) => void
  missing: string | null
  isFull: boolean
  onBegan: (payment: PaymentRecord) => void
  onRefused: () => void
}

export function AmountForm(props: AmountFormProps) {
  const { system, bonuses, missing, isFull, onTyped } = props
  const t = useTranslations('topUp')
  const locale = useLocale()
  const typed = props.typed ?? writeAmount(shortAmount(firstAmount(system, missing)), locale)
  const amount = readAmount(typed, locale)
  const fullId = useId()
  const { pending, refusal, wasFull, begin } = useBegin(system, props)
  const full = isFull ? t('full', { limit: MAX_OPEN_PAYMENTS }) : wasFull
  const wrong = wrongAmount(system, typed, amount)
  const isRefused = refusal?.key === system.key && refusal.amount === amount
  const error = wrong ?? (isRefused ? refusal.words : undefined)
  const promised = error === undefined ? amount : null
  const money = (decimal: string) => formatMoney(decimal, system.currency, locale)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (amount !== null && wrong === undefined && !isFull) inBackground(begin(amount))
  }
  return (
    <form onSubmit={submit} noValidate className="mt-6 max-w-md">
      <TextField
        label={t('amount', { sign: CURRENCY_SIGNS[system.currency] })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={15}
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
        error={
          error === undefined
            ? undefined
            : typeof error === 'string'
              ? error
              : t(error.key, {
                  min: shortMoney(system.min, system.currency, locale),
                  max: shortMoney(system.max, system.currency, locale),
                })
        }
      />
      <div className="mt-2 grid grid-cols-4 gap-2">
        {quickAmounts(system, missing).map((choice) => (
          <Button
            key={choice}
            aria-pressed={choice === amount}
            onClick={() => onTyped(writeAmount(shortAmount(choice), locale))}
            className="tabular px-1 aria-pressed:border-signal aria-pressed:text-signal"
          >
            {shortMoney(choice, system.currency, locale)}
          </Button>
        ))}
      </div>
      <Arrives system={system} bonuses={bonuses} amount={promised} />
      <Button
        type="submit"
        kind="primary"
        aria-disabled={amount === null || error !== undefined || isFull || pending}
        aria-describedby={full === undefined ? undefined : fullId}
        aria-busy={pending}
        className="mt-3 min-h-12 w-full text-base"
      >
        {pending ? t('beginning') : promised === null ? t('pay') : t('payAmount', { amount: money(promised) })}
      </Button>
      <p id={fullId} aria-live="polite" className="mt-2 text-sm empty:hidden">
        {full}
      </p>
      {system.form === 'redirect' ? <p className="mt-2 text-sm text-muted">{t('redirectText')}</p> : null}
    </form>
  )
}

function Arrives({ system, bonuses, amount }: Pick<AmountFormProps, 'system' | 'bonuses'> & { amount: string | null }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const shown = amount !== null && isWithin(system, amount) ? amount : null
  const money = (decimal: string) => formatMoney(decimal, system.currency, locale)
  const { fee, bonus, ofRule, arrives } = termsOf(system, shown ?? '0', bonuses)
  const ruleWords = ({ kind, least }: BonusRuleRecord, given: string) =>
    kind === 'first'
      ? t('ofFirst', { amount: money(given) })
      : t('ofAbove', { amount: money(given), least: shortMoney(least, system.currency, locale) })
  const parts = [
    ...(fee === '0.00' ? [] : [t('ofFee', { amount: money(fee) })]),
    ...(bonus === '0.00' ? [] : [t('ofBonus', { amount: money(bonus) })]),
    ...(ofRule === null ? [] : [ruleWords(ofRule.rule, ofRule.amount)]),
  ]
  return (
    <p aria-live="polite" className="mt-4 min-h-6">
      {shown === null ? null : (
        <>
          {t('arrives')} <strong className="tabular font-semibold">{money(arrives)}</strong>
          {parts.length === 0 ? null : <span className="tabular text-muted"> ({parts.join(', ')})</span>}
        </>
      )}
    </p>
  )
}

type Wrong = { key: 'badAmount' | 'decimals' | 'outside' }

function wrongAmount(system: PaymentSystemRecord, typed: string, amount: string | null): Wrong | undefined {
  if (typed.trim() === '') return undefined
  if (amount === null) return { key: 'badAmount' }
  if (!isOfCents(amount)) return { key: 'decimals' }
  return isWithin(system, amount) ? undefined : { key: 'outside' }
}

/** Begins a payment. A request without a reply is repeated with its idempotency key, so no second payment begins. */
function useBegin(
  { key, form }: PaymentSystemRecord,
  { onBegan, onRefused }: Pick<AmountFormProps, 'onBegan' | 'onRefused'>,
) {
  const api = useApi()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const { pending, pay } = usePaidCall<PaymentReply>()
  const [refusal, setRefusal] = useState<{ key: string; amount: string; words: string }>()
  const [wasFull, setWasFull] = useState<string>()
  const [leaving, setLeaving] = useState<string>()

  async function begin(amount: string): Promise<void> {
    setRefusal(undefined)
    setWasFull(undefined)
    try {
      const send = (idempotencyKey: string) => api('POST /api/v1/payments', { system: key, amount }, { idempotencyKey })
      const reply = await pay({ about: `${key} ${amount}`, send })
      if (reply === null) return
      onBegan(reply.data)
      if (form === 'redirect' && reply.data.redirect_url !== null) {
        setLeaving(key)
        window.location.assign(reply.data.redirect_url)
      }
    } catch (error) {
      onRefused()
      const words = error instanceof CallError ? error.errors.amount?.[0] : undefined
      if (words !== undefined) setRefusal({ key, amount, words })
      else if (error instanceof CallError && error.code === 'TOO_MANY_PAYMENTS') setWasFull(error.message)
      fail(error)
    } finally {
      inBackground(refreshPayments(queryClient))
    }
  }
  return { pending: pending !== null || leaving === key, refusal, wasFull, begin }
}
