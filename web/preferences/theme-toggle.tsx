import { Moon, Sun } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'
import { toggleTheme } from './theme.ts'

/** Renders a button with two icons, of which CSS shows one, because the server does not know the system's theme. */
export function ThemeToggle() {
  const { theme } = useAppContext()
  const t = useTranslations('header')
  return (
    <button
      type="button"
      className={ICON_BUTTON_LOOK}
      onClick={(event) => inBackground(toggleTheme(theme, event.currentTarget))}
    >
      <span className="dark:hidden" title={t('toDark')}>
        <Moon size={18} aria-hidden />
        <span className="sr-only">{t('toDark')}</span>
      </span>
      <span className="hidden dark:inline" title={t('toLight')}>
        <Sun size={18} aria-hidden />
        <span className="sr-only">{t('toLight')}</span>
      </span>
    </button>
  )
}
