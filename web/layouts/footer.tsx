import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { THEMES } from '#contract/page-request.ts'
import { useFrame } from '../frame.ts'
import { inBackground } from '../in-background.ts'
import { routeNamed } from '../routes.ts'
import { switchTheme } from '../session/theme.ts'
import { useStore } from '../store.ts'

const DOCUMENTS = [
  { route: 'terms-of-use', text: 'terms' },
  { route: 'privacy-policy', text: 'privacy' },
  { route: 'refund-policy', text: 'refund' },
] as const

export function Footer() {
  const t = useTranslations('footer')
  const { demo } = useFrame().page.settings
  return (
    <footer className="mt-16 border-t border-hairline pb-(--bottom-bar)">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-6 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6">
        <p>{demo ? t('demo') : t('about')}</p>
        {DOCUMENTS.map(({ route, text }) => {
          const path = routeNamed(route)?.path
          return path === undefined ? null : (
            <Link key={route} to={path} className="inline-flex min-h-10 items-center underline underline-offset-4">
              {t(text)}
            </Link>
          )
        })}
        <ThemeChoice />
      </div>
    </footer>
  )
}

function ThemeChoice() {
  const t = useTranslations('footer')
  const { theme } = useFrame()
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
