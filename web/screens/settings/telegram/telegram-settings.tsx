import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Telegram } from '#contract/telegram/chat.ts'
import { useDialogs, useSettings } from '#web/house/app-context.ts'
import { useTelegram } from '#web/notifications/use-telegram.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConnectTelegram } from './connect-telegram.tsx'
import { ConnectedChat } from './connected-chat.tsx'

export function TelegramSettings() {
  const t = useTranslations('telegram')
  const telegram = useTelegram()
  if (telegram === undefined || telegram.bot === null) return null
  const { chat, reward } = telegram
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {chat === null ? <ConnectTelegram /> : <ConnectedChat chat={chat} bot={telegram.bot} />}
      {reward === null ? null : <RewardLine reward={reward} />}
    </SettingsGroup>
  )
}

type Reward = NonNullable<Telegram['reward']>

function RewardLine({ reward }: { reward: Reward }) {
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
