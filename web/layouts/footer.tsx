import { useTranslations } from 'use-intl'
import { useAppContext, useSettings } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const GROUPS = [
  ['product', ['service', 'country', 'price', 'loyalty']],
  ['help', ['faq', 'contacts', 'status', 'blog']],
  ['developers', ['doc', 'partners', 'sitemap']],
  ['rules', ['terms-of-use', 'privacy-policy', 'refund-policy', 'acceptable-use']],
] as const

const ThemeChoice = lazyPart(
  async () => (await import('#web/preferences/theme-choice.tsx')).ThemeChoice,
  <span className="h-10 sm:ml-auto" />,
)

export function Footer() {
  const t = useTranslations('footer')
  const { demo, version } = useAppContext().page.settings
  const { closedPages } = useSettings()
  return (
    <footer className="mt-16 print:hidden border-t border-hairline pb-(--bottom-bar) text-sm text-muted">
      <nav
        aria-label={t('site')}
        className="mx-auto grid max-w-7xl grid-cols-2 gap-x-6 gap-y-4 px-3 pt-6 sm:grid-cols-4 sm:px-5"
      >
        {GROUPS.map(([group, routes]) => (
          <div key={group}>
            <p className="font-medium text-ink">{t(group)}</p>
            {routes.map((route) => {
              const path = openRouteNamed(route, closedPages)?.path
              return path === undefined ? null : (
                <Link key={route} to={path} className="flex min-h-10 items-center underline-offset-4 hover:underline">
                  {t(`link.${route}`)}
                </Link>
              )
            })}
          </div>
        ))}
      </nav>
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-6 px-3 py-4 sm:px-5">
        <p>{demo ? t('demo') : t('about')}</p>
        <p className="w-full text-xs sm:w-auto">{`Ringpost ${version}`}</p>
        <ThemeChoice />
      </div>
    </footer>
  )
}
