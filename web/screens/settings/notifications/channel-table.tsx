import { useTranslations } from 'use-intl'
import type { NotificationSettings } from '#contract/notifications/notification.ts'
import {
  NOTIFICATION_CATEGORIES,
  NOTIFICATION_CHANNELS,
  type NotificationCategory,
  type NotificationChannel,
} from '#contract/notifications/notification-constants.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { useChangeSettings } from './use-change-settings.ts'

export function ChannelTable({ settings }: { settings: NotificationSettings }) {
  const t = useTranslations('notifications')
  const change = useChangeSettings()
  // Telegram is offered either for every category or for none.
  const channels = NOTIFICATION_CHANNELS.filter(
    (channel) => channel !== 'telegram' || settings.offered.news.includes(channel),
  )
  function toggle(category: NotificationCategory, channel: NotificationChannel, on: boolean): void {
    const others = settings.choices[category].filter((one) => one !== channel)
    const choices = { [category]: on ? [...others, channel] : others }
    inBackground(change({ choices }, { ...settings, choices: { ...settings.choices, ...choices } }))
  }
  return (
    <SettingsGroup title={t('channels.title')} text={t('channels.text')}>
      <table aria-label={t('channels.title')} className="w-full border-collapse">
        <thead>
          <tr className="text-sm text-muted max-[359px]:grid max-[359px]:grid-cols-4">
            <th scope="col" className="sr-only">
              {t('filter')}
            </th>
            {channels.map((channel) => (
              <th
                key={channel}
                scope="col"
                className="w-14 pb-1 text-center text-xs max-[359px]:w-auto font-medium sm:w-20 sm:text-sm"
              >
                {t(`channels.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {NOTIFICATION_CATEGORIES.map((category) => (
            <tr key={category} className="max-[359px]:grid max-[359px]:grid-cols-4 max-[359px]:items-center">
              <th scope="row" className="py-1.5 text-left font-normal max-[359px]:col-span-4">
                <span className="block font-medium">{t(`categories.${category}`)}</span>
                <span className="block text-sm text-muted">{t(`about.${category}`)}</span>
              </th>
              {channels.map((channel) => (
                <td key={channel} className="text-center">
                  {settings.offered[category].includes(channel) ? (
                    <label className="inline-flex size-11 cursor-pointer items-center justify-center">
                      <input
                        type="checkbox"
                        aria-label={`${t(`categories.${category}`)}: ${t(`channels.${channel}`)}`}
                        checked={settings.choices[category].includes(channel)}
                        onChange={({ currentTarget }) => toggle(category, channel, currentTarget.checked)}
                        className="size-5 cursor-pointer accent-ink"
                      />
                    </label>
                  ) : (
                    <span className="text-sm text-muted">{t('channels.always')}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SettingsGroup>
  )
}
