import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NavLink } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'

const PAGES = [
  'doc',
  'doc-api',
  'doc-handler-api',
  'doc-five-sim',
  'doc-webhooks',
  'doc-live',
  'doc-errors',
  'doc-services',
  'doc-countries',
  'doc-operators',
] as const

export function DocLayout({ children }: { children: ReactNode }) {
  const t = useTranslations('doc')
  return (
    <div className="xl:grid xl:grid-cols-[11rem_minmax(0,1fr)] xl:gap-8">
      <nav aria-label={t('title')} className="mb-6 xl:mb-0">
        <ul className="flex gap-1 overflow-x-auto xl:sticky xl:top-24 xl:flex-col">
          {PAGES.map((name) => {
            const path = routeNamed(name)?.path
            return path === undefined ? null : (
              <li key={name}>
                <NavLink to={path} end className={({ isActive }) => linkLook(isActive)}>
                  {t(`page.${name}`)}
                </NavLink>
              </li>
            )
          })}
          <li>
            <a href="/api/openapi.json" className={linkLook(false)}>
              OpenAPI
            </a>
          </li>
        </ul>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  )
}

function linkLook(active: boolean): string {
  const base = 'inline-flex min-h-10 items-center rounded px-3 whitespace-nowrap xl:w-full'
  return active ? `${base} bg-sunken font-semibold text-ink` : `${base} text-muted hover:bg-sunken hover:text-ink`
}
