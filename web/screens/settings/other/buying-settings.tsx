import { useLocale, useTranslations } from 'use-intl'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { SelectBox } from '#web/ui/fields/first/select-box.tsx'
import type { PreferenceProps } from './place-settings.tsx'
import { PriceCeiling } from './price-ceiling.tsx'
import { SwitchRow } from './switch-row.tsx'

type Named<Id> = { id: Id; name: string }
export type OfferedNames = { services: readonly Named<string>[]; countries: readonly Named<number>[] }

export function BuyingSettings({ settings, wish, names }: PreferenceProps & { names: OfferedNames }) {
  const t = useTranslations('settings.buying')
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="grid max-w-md gap-5">
        <NameSelect
          label={t('service')}
          items={names.services}
          chosen={settings.default_service_id}
          onChoose={(id) => wish('default_service_id', id)}
        />
        <NameSelect
          label={t('country')}
          items={names.countries}
          chosen={settings.default_country_id}
          onChoose={(id) => wish('default_country_id', id)}
        />
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

type NameSelectProps<Id> = {
  label: string
  items: readonly Named<Id>[]
  chosen: Id | null
  onChoose: (id: Id | null) => void
}

/** What is sold no longer stays chosen without a name of its own. */
function NameSelect<Id extends string | number>({ label, items, chosen, onChoose }: NameSelectProps<Id>) {
  const t = useTranslations('settings.buying')
  const locale = useLocale()
  const sorted = items.toSorted((one, other) => one.name.localeCompare(other.name, locale))
  const isKnown = chosen === null || items.some(({ id }) => id === chosen)
  return (
    <SelectBox
      label={label}
      labelShown
      value={chosen ?? ''}
      onChange={({ target }) => onChoose(items.find(({ id }) => String(id) === target.value)?.id ?? null)}
    >
      <option value="">{t('none')}</option>
      {isKnown ? null : <option value={chosen}>{chosen}</option>}
      {sorted.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectBox>
  )
}
