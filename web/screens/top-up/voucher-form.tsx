import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { refreshPayments } from './use-payments.ts'

type VoucherFormProps = {
  onBegan: (payment: PaymentRecord) => void
  onRefused: () => void
}

export function VoucherForm({ onBegan, onRefused }: VoucherFormProps) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const api = useApi()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [pending, setPending] = useState(false)
  const busy = useRef(false)

  async function redeem(): Promise<void> {
    if (busy.current || code.trim() === '') return
    busy.current = true
    setPending(true)
    setRefusal(undefined)
    try {
      const { data, redeemed_before: redeemedBefore } = await api('POST /api/v1/vouchers', { code })
      if (redeemedBefore) {
        const amount = formatMoney(data.received, data.currency, locale)
        setRefusal(t('voucherBefore', { amount }))
        onRefused()
        return
      }
      setCode('')
      onBegan(data)
    } catch (error) {
      const isOfCode =
        error instanceof CallError && ['BAD_VOUCHER', 'VOUCHER_SPENT', 'INVALID_INPUT'].includes(error.code)
      onRefused()
      if (isOfCode) setRefusal(error.message)
      fail(error)
    } finally {
      busy.current = false
      setPending(false)
      inBackground(refreshPayments(queryClient))
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    inBackground(redeem())
  }
  return (
    <form onSubmit={submit} noValidate className="mt-6 max-w-md">
      <TextField
        label={t('voucherCode')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        className="[&_input]:font-mono [&_input]:uppercase"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={refusal}
      />
      <Button
        type="submit"
        kind="primary"
        aria-disabled={pending || code.trim() === ''}
        aria-busy={pending}
        className="mt-3 min-h-12 w-full text-base"
      >
        {t('redeem')}
      </Button>
    </form>
  )
}
