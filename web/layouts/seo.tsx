import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/routes.ts'
import type { Crumb } from '#web/structured-data.ts'

/** The layout `seo`: landing pages of search engines. */
export function SeoLayout({ crumbs, children }: { crumbs: readonly Crumb[]; children: ReactNode }) {
  const t = useTranslations('directory')
  const onward = [
    { path: routeNamed('service')?.path, text: t('allServices') },
    { path: routeNamed('country')?.path, text: t('allCountries') },
    { path: routeNamed('price')?.path, text: t('allPrices') },
    { path: routeNamed('faq')?.path, text: t('allAnswers') },
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
