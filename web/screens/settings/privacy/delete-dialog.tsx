import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { DELETION_DAYS } from '#contract/account-constants.ts'
import { formatMoney } from '#contract/money.ts'
import type { Privacy } from '#contract/privacy.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RefundHint } from './refund-hint.tsx'

type DeleteDialogProps = {
  privacy: Privacy
  onClose: () => void
  /** `givesUp` is true if the owner gives up the balance, which needs a second confirmation. */
  onConfirmed: (givesUp: boolean) => void
}

export function DeleteDialog({ privacy, onClose, onConfirmed }: DeleteDialogProps) {
  const t = useTranslations('privacy.deletion')
  const locale = useLocale()
  const [givesUp, setGivesUp] = useState(false)
  const { balance, currency } = privacy
  const amount = formatMoney(balance, currency, locale)
  return (
    <Dialog title={t('dialogTitle')} onClose={onClose}>
      <p>{t('goes', { days: DELETION_DAYS })}</p>
      <p className="mt-3">{t('waits', { days: DELETION_DAYS })}</p>
      {Number(balance) > 0 ? <p className="mt-3 font-medium">{t('hasMoney', { amount })}</p> : null}
      {Number(balance) > 0 ? <RefundHint /> : null}
      {Number(balance) > 0 ? (
        <label className="mt-4 flex min-h-10 items-start gap-3">
          <input
            type="checkbox"
            checked={givesUp}
            className="mt-0.5 size-5 shrink-0 accent-(--signal-fill)"
            onChange={(event) => setGivesUp(event.currentTarget.checked)}
          />
          <span>
            {t('giveUpTick', { amount })}
            <span className="block text-sm text-muted">{t('giveUpHint')}</span>
          </span>
        </label>
      ) : null}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" onClick={() => onConfirmed(givesUp)}>
          {givesUp ? t('next') : t('confirm')}
        </Button>
      </div>
    </Dialog>
  )
}
