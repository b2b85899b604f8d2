import { useTranslations } from 'use-intl'
import { useUser } from '#web/app-context.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { PreferenceName } from './preference-queue.ts'
import { SwitchRow } from './switch-row.tsx'
import { usePreferences } from './use-preferences.ts'

const PREFERENCES: readonly PreferenceName[] = ['copying_code', 'sound_new_sms', 'confirmation_actions']

export function PreferenceSwitches() {
  const t = useTranslations('settings.preferences')
  const settings = useUser()?.settings
  const wish = usePreferences()
  return (
    <SettingsGroup title={t('title')}>
      <div className="-my-3 divide-y divide-hairline">
        {PREFERENCES.map((name) =>
          settings === undefined ? (
            <Skeleton key={name} className="my-2 h-12" />
          ) : (
            <SwitchRow
              key={name}
              label={t(`${name}.label`)}
              text={t(`${name}.text`)}
              checked={settings[name]}
              onChange={(value) => wish(name, value)}
            />
          ),
        )}
      </div>
    </SettingsGroup>
  )
}
