import { useTranslations } from 'use-intl'
import type { Crumb } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const t = useTranslations('directory')
  return (
    <nav aria-label={t('breadcrumbs')} className="mb-3 text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-2">
        {crumbs.map(({ title, path }, index) => (
          <li
            key={path}
            // A phone hides the last breadcrumb, because the title directly below has the same text.
            className={`flex items-center gap-2 ${index === crumbs.length - 1 ? 'max-sm:hidden' : ''}`}
          >
            {index === 0 ? null : <span aria-hidden>/</span>}
            {index === crumbs.length - 1 ? (
              <span aria-current="page" className="inline-flex min-h-10 items-center">
                {title}
              </span>
            ) : (
              <Link to={path} className="inline-flex min-h-10 items-center underline underline-offset-4 hover:text-ink">
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
