import { useTranslations } from 'use-intl'
import { useTelegram } from '#web/notifications/use-telegram.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { ConnectTelegram } from './connect-telegram.tsx'
import { ConnectedChat } from './connected-chat.tsx'
import { RewardLine } from './reward-line.tsx'

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
