import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSettings } from '#web/house/app-context.ts'
import type { Crumb } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'

export function SeoLayout({ crumbs, children }: { crumbs: readonly Crumb[]; children: ReactNode }) {
  const t = useTranslations('directory')
  const { closedPages } = useSettings()
  const pathOf = (name: string) => openRouteNamed(name, closedPages)?.path
  const onward = [
    { path: pathOf('service'), text: t('allServices') },
    { path: pathOf('country'), text: t('allCountries') },
    { path: pathOf('price'), text: t('allPrices') },
    { path: pathOf('faq'), text: t('allAnswers') },
  ]
  return (
    <>
      <Breadcrumbs crumbs={crumbs} />
      {children}
      <nav aria-label={t('onward')} className="mt-12 flex flex-wrap gap-x-6 border-t border-hairline pt-4">
        {onward.map(({ path, text }) =>
          path === undefined ? null : (
            <Link key={path} to={path} className="inline-flex min-h-11 items-center underline underline-offset-4">
              {text}
            </Link>
          ),
        )}
      </nav>
    </>
  )
}
