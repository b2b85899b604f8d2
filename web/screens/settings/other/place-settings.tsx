import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { THEMES } from '#contract/page-request.ts'
import { languageName } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useStore } from '#web/house/stores/store.ts'
import { switchTheme } from '#web/preferences/theme.ts'
import { useLanguageChange } from '#web/preferences/use-language-change.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import type { Preferences, Wish } from './use-preferences.ts'

export type PreferenceProps = { settings: Preferences; wish: Wish }

export function PlaceSettings({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.place')
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <div className="grid max-w-md gap-5">
        <LanguageSelect />
        <TimeZoneSelect settings={settings} wish={wish} />
        <ThemeSegments />
      </div>
    </SettingsGroup>
  )
}

function LanguageSelect() {
  const t = useTranslations('settings.place')
  const { page, language } = useAppContext()
  const { locale } = useStore(language)
  const change = useLanguageChange()
  if (page.locales.length < 2) return null
  return (
    <SelectBox
      label={t('language')}
      labelShown
      value={locale}
      onChange={(event) => {
        const chosen = page.locales.find((known) => known === event.target.value)
        if (chosen !== undefined) change(chosen)
      }}
    >
      {page.locales.map((choice) => (
        <option key={choice} value={choice} lang={choice}>
          {languageName(choice)}
        </option>
      ))}
    </SelectBox>
  )
}

const never = () => () => undefined
let zones: readonly string[] | null = null
const NO_ZONES: readonly string[] = []

/** Returns the browser's time zones. The server may know other zones, so the first rendering has none. */
function useTimeZones(): readonly string[] {
  return useSyncExternalStore(
    never,
    () => {
      zones ??= Intl.supportedValuesOf('timeZone')
      return zones
    },
    () => NO_ZONES,
  )
}

function TimeZoneSelect({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.place')
  const known = useTimeZones()
  const chosen = settings.time_zone
  // A browser may know the chosen zone by another name, or not at all.
  const listed = chosen === null || known.includes(chosen) ? known : [chosen, ...known]
  return (
    <SelectBox
      label={t('timeZone')}
      labelShown
      value={chosen ?? ''}
      onChange={(event) => wish('time_zone', event.target.value === '' ? null : event.target.value)}
    >
      <option value="">{t('ofBrowser')}</option>
      {listed.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectBox>
  )
}

function ThemeSegments() {
  const t = useTranslations('settings.place')
  const words = useTranslations('footer')
  const { theme } = useAppContext()
  const chosen = useStore(theme)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{t('theme')}</legend>
      <div className={`flex flex-wrap ${SEGMENTS}`}>
        {THEMES.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === chosen}
            className={segmentLook(choice === chosen)}
            onClick={(event) => inBackground(switchTheme(theme, choice, event.currentTarget))}
          >
            {words(choice)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
