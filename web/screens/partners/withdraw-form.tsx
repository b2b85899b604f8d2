import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { wholeCents } from '#contract/formats/payment-terms.ts'
import { formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import {
  MAX_ADDRESS_LENGTH,
  type Referral,
  type WithdrawalInput,
  type WithdrawalReply,
} from '#contract/programmes/referral.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { readAmount, shortAmount, writeAmount } from '#web/money/amount-text.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import { refreshReferral } from './use-referral.ts'
import { type Wrong, wrongAmount } from './wrong-amount.ts'

type To = WithdrawalInput['to']

/** Renders the withdrawal form: to the balance at once, or to a wallet address (if offered) after a review by staff. */
export function WithdrawForm({ referral }: { referral: Referral }) {
  const t = useTranslations('referral')
  const locale = useLocale()
  const { networks, currency, least, open_withdrawal: open } = referral
  const form = useWithdrawal(referral)
  const { to, setTo, errors } = form
  const isWaiting = to === 'address' && open !== null
  return (
    <form
      onSubmit={(event) => inBackground(form.submit(event))}
      noValidate
      className="mt-6 rounded border border-hairline bg-surface p-4 sm:p-5"
    >
      <h3 className="font-semibold">{t('withdraw')}</h3>
      {networks.length === 0 ? null : (
        <div className={`mt-3 flex ${SEGMENTS}`}>
          {(['balance', 'address'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={to === each}
              className={segmentLook(to === each)}
              onClick={() => setTo(each)}
            >
              {t(`to.${each}`)}
            </button>
          ))}
        </div>
      )}
      {isWaiting ? (
        <Waiting>{t('openOne', { amount: formatMoney(open.amount, currency, locale) })}</Waiting>
      ) : (
        <>
          <TextField
            name="amount"
            label={t('amount')}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            className="mt-4 max-w-md"
            value={form.amount}
            onChange={(event) => form.setAmount(event.target.value)}
            error={errors.amount}
          />
          {to === 'balance' ? null : <AddressFields networks={networks} form={form} />}
          <p className="mt-3 text-sm text-muted">
            {to === 'balance'
              ? t('toBalanceHint')
              : t('toAddressHint', { least: formatMoney(least, currency, locale) })}
          </p>
          <Button
            type="submit"
            kind="primary"
            aria-disabled={form.isPending}
            aria-busy={form.isPending}
            className="mt-4 min-h-11 w-full sm:w-auto"
          >
            {to === 'balance' ? t('doBalance') : t('doAddress')}
          </Button>
        </>
      )}
    </form>
  )
}

/** Shows a waiting withdrawal in place of the pressed button, and takes the focus. */
function Waiting({ children }: { children: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus({ preventScroll: true })
  }, [])
  return (
    <p ref={line} tabIndex={-1} className="mt-3 text-muted outline-none">
      {children}
    </p>
  )
}

function AddressFields({ networks, form }: { networks: Referral['networks']; form: ReturnType<typeof useWithdrawal> }) {
  const t = useTranslations('referral')
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="mt-4 mb-1.5 block text-sm font-medium">
        {t('network')}
      </label>
      <select
        id={id}
        className="block h-11 w-full max-w-md rounded border border-edge bg-surface px-3 text-base text-ink"
        value={form.network}
        onChange={(event) => form.setNetwork(event.target.value)}
      >
        {networks.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <TextField
        name="address"
        label={t('address')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={MAX_ADDRESS_LENGTH}
        className="mt-4 [&_input]:font-mono"
        value={form.address}
        onChange={(event) => form.setAddress(event.target.value)}
        error={form.errors.address ?? form.errors.network}
      />
    </>
  )
}

/** Returns the amount in whole cents. Shares may have fractions of a cent, which wait for later shares. */
function movable(available: string): string {
  return toDecimal(wholeCents(parseDecimal(available) ?? 0n))
}

function useWithdrawal({ available, least, currency, networks }: Referral) {
  const t = useTranslations('referral')
  const locale = useLocale()
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const { pending, pay } = usePaidCall<WithdrawalReply>()
  const [to, setTo] = useState<To>('balance')
  const [amount, setAmount] = useState(() => writeAmount(shortAmount(movable(available)), locale))
  const [network, setNetwork] = useState(networks[0]?.code ?? '')
  const [address, setAddress] = useState('')

  function wordsOf({ key, limit }: Wrong): string {
    return t(key, { amount: limit === undefined ? '' : formatMoney(limit, currency, locale) })
  }
  const { errors, submit } = useSubmit({
    names: ['amount', 'address', 'network'],
    check: () => {
      const wrong = wrongAmount(readAmount(amount, locale), { available, least: to === 'address' ? least : '0' })
      return wrong === null ? {} : { amount: wordsOf(wrong) }
    },
    send: withdraw,
  })

  async function withdraw(): Promise<void> {
    const wanted = readAmount(amount, locale)
    if (wanted === null) return
    const input: WithdrawalInput = { amount: wanted, to, ...(to === 'address' && { network, address: address.trim() }) }
    try {
      const reply = await pay({
        about: JSON.stringify(input),
        send: (idempotencyKey) => api('POST /api/v1/referral/withdrawals', input, { idempotencyKey }),
      })
      if (reply === null) return
      alerts.add({ type: 'info', text: to === 'balance' ? t('doneBalance') : t('doneAddress') })
      setAmount('')
      setAddress('')
    } finally {
      inBackground(refreshReferral(queryClient))
    }
  }
  return {
    to,
    setTo,
    amount,
    setAmount,
    network,
    setNetwork,
    address,
    setAddress,
    errors,
    submit,
    isPending: pending !== null,
  }
}
