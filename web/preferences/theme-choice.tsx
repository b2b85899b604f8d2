import { useTranslations } from 'use-intl'
import { THEMES } from '#contract/page-request.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useStore } from '#web/house/stores/store.ts'
import { switchTheme } from './theme.ts'

export function ThemeChoice() {
  const t = useTranslations('footer')
  const { theme } = useAppContext()
  const chosen = useStore(theme)
  return (
    <fieldset className="flex items-center gap-0.5 sm:ml-auto">
      <legend className="sr-only">{t('theme')}</legend>
      {THEMES.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === chosen}
          className={`min-h-10 rounded px-3 ${choice === chosen ? 'bg-sunken font-medium text-ink' : 'hover:text-ink'}`}
          onClick={(event) => inBackground(switchTheme(theme, choice, event.currentTarget))}
        >
          {t(choice)}
        </button>
      ))}
    </fieldset>
  )
}
