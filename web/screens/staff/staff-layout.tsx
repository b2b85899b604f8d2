import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '#web/house/app-context.ts'
import { NavLink } from '#web/navigation/link.tsx'
import { PageHead } from '#web/navigation/page-head.tsx'
import { routeNamed } from '#web/navigation/routes.ts'

const SECTIONS = [
  { route: 'staff-tickets', text: 'tickets' },
  { route: 'staff-answers', text: 'answers' },
  { route: 'staff-suppliers', text: 'suppliers' },
] as const

export function StaffLayout({ title, children }: { title: string; children: ReactNode }) {
  const t = useTranslations('staff')
  const isOperator = useUser()?.role === 'operator'
  return (
    <>
      <PageHead title={title} indexable={false} />
      <div className="mb-4 flex flex-wrap items-center gap-x-6 border-b border-hairline">
        <p className="font-semibold max-sm:sr-only">{t('console')}</p>
        <nav aria-label={t('sections.label')} className="-mb-px flex gap-1 overflow-x-auto">
          {SECTIONS.map(({ route, text }) => {
            const path = routeNamed(route)?.path
            return path === undefined || (route === 'staff-suppliers' && !isOperator) ? null : (
              <NavLink key={route} to={path} className={({ isActive }) => sectionLook(isActive)}>
                {t(`sections.${text}`)}
              </NavLink>
            )
          })}
        </nav>
      </div>
      {children}
    </>
  )
}

function sectionLook(active: boolean): string {
  return `flex min-h-11 items-center border-b-2 px-3 text-[15px] whitespace-nowrap ${
    active ? 'border-signal-bright font-semibold text-ink' : 'border-transparent text-muted hover:text-ink'
  }`
}
