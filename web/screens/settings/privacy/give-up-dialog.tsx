import { useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney, parseDecimal } from '#contract/money.ts'
import type { Privacy } from '#contract/privacy.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { inBackground } from '#web/house/in-background.ts'
import { readAmount } from '#web/money/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { RefundHint } from './refund-hint.tsx'

type GiveUpDialogProps = {
  privacy: Pick<Privacy, 'balance' | 'currency'>
  onClose: () => void
  onConfirmed: (giveUp: string) => void
}

/** Asks the user to type the sum to give up, because one press is too little for a loss that cannot be undone. */
export function GiveUpDialog({ privacy, onClose, onConfirmed }: GiveUpDialogProps) {
  const t = useTranslations('privacy.deletion.giveUp')
  const locale = useLocale()
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { balance, currency } = privacy
  const amount = formatMoney(balance, currency, locale)

  const { errors, submit } = useSubmit({
    names: ['amount'],
    check: () => {
      const isRight = parseDecimal(readAmount(typed.replace(/[₽$]/g, ''), locale) ?? '') === parseDecimal(balance)
      return isRight ? {} : { amount: t('wrong', { amount }) }
    },
    send: async () => onConfirmed(balance),
  })
  return (
    <Dialog title={t('title', { amount })} onClose={onClose} initialFocus={field}>
      <form noValidate method="post" onSubmit={(event) => inBackground(submit(event))}>
        <p>{t('text', { amount })}</p>
        <RefundHint />
        <TextField
          ref={field}
          name="amount"
          className="tabular mt-4"
          label={t('label', { amount })}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={errors.amount}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary">
            {t('confirm', { amount })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
