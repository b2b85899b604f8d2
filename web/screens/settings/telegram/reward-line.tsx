import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Telegram } from '#contract/telegram/chat.ts'
import { useDialogs, useSettings } from '#web/house/app-context.ts'
import { Button } from '#web/ui/button.tsx'

type Reward = NonNullable<Telegram['reward']>

export function RewardLine({ reward }: { reward: Reward }) {
  const t = useTranslations('telegram')
  const locale = useLocale()
  const dialogs = useDialogs()
  const { currency } = useSettings()
  const amount = formatMoney(reward.amount, currency, locale)
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-hairline pt-4">
      <p className="min-w-0 flex-1">{t(reward.state === 'given' ? 'rewardGiven' : 'reward', { amount })}</p>
      {reward.state === 'given' ? null : <Button onClick={() => dialogs.open('reward', {})}>{t('rewardHow')}</Button>}
    </div>
  )
}
