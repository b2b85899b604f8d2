import { useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useAppContext, useSettings } from '#web/app-context.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Shown after a profile was linked for the reward. */
export function RewardDialog() {
  const t = useTranslations('reward')
  const locale = useLocale()
  const { dialogs } = useAppContext()
  const { telegramSubscribeReward: amount, currency } = useSettings()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => dialogs.close('reward')
  return (
    <Dialog title={t('title')} onClose={close} initialFocus={button}>
      <p className="mb-6">
        {Number(amount) > 0 ? t('text', { amount: formatMoney(amount, currency, locale) }) : t('noReward')}
      </p>
      <Button ref={button} kind="primary" className="w-full" onClick={close}>
        {t('close')}
      </Button>
    </Dialog>
  )
}
