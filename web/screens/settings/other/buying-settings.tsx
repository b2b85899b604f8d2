import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CountryFilter, ServiceFilter } from '#web/past/choice-filter.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import type { PreferenceProps } from './place-settings.tsx'
import { PriceCeiling } from './price-ceiling.tsx'
import { SwitchRow } from './switch-row.tsx'

export function BuyingSettings({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.buying')
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="grid max-w-md gap-5">
        <Labelled label={t('service')}>
          <ServiceFilter
            single
            chosen={settings.default_service_id === null ? [] : [settings.default_service_id]}
            words={{ label: t('service'), none: t('none'), gone: t('gone') }}
            onChoose={([id = null]) => wish('default_service_id', id)}
          />
        </Labelled>
        <Labelled label={t('country')}>
          <CountryFilter
            single
            chosen={settings.default_country_id === null ? [] : [settings.default_country_id]}
            words={{ label: t('country'), none: t('none'), gone: t('gone') }}
            onChoose={([id = null]) => wish('default_country_id', id)}
          />
        </Labelled>
      </div>
      <div className="mt-2 mb-3 border-b border-hairline">
        <SwitchRow
          label={t('remember_choice.label')}
          text={t('remember_choice.text')}
          checked={settings.remember_choice}
          onChange={(value) => wish('remember_choice', value)}
        />
      </div>
      <PriceCeiling settings={settings} wish={wish} />
      <div className="mt-3 -mb-3 border-t border-hairline">
        <SwitchRow
          label={t('confirmation_actions.label')}
          text={t('confirmation_actions.text')}
          checked={settings.confirmation_actions}
          onChange={(value) => wish('confirmation_actions', value)}
        />
      </div>
    </SettingsGroup>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="relative">
      <p aria-hidden className="mb-1.5 text-sm font-medium">
        {label}
      </p>
      {children}
    </div>
  )
}
