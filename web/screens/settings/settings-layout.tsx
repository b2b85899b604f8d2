import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { NavLink } from '#web/navigation/link.tsx'
import { PageHead } from '#web/navigation/page-head.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { useArrival, useLocation } from '#web/navigation/use-page.ts'

const SECTIONS = [
  { route: 'settings', text: 'account' },
  { route: 'settings-other', text: 'other' },
  { route: 'settings-notifications', text: 'notifications' },
  { route: 'settings-security', text: 'security' },
  { route: 'settings-sessions', text: 'sessions' },
  { route: 'settings-api', text: 'api' },
  { route: 'settings-privacy', text: 'privacy' },
] as const

type SettingsLayoutProps = { section: (typeof SECTIONS)[number]['text']; children: ReactNode }

export function SettingsLayout({ section, children }: SettingsLayoutProps) {
  const t = useTranslations('settings')
  return (
    <>
      <PageHead title={t(`sections.${section}`)} indexable={false} />
      <h1 className="mb-3 text-2xl font-semibold tracking-tight sm:mb-4">{t('title')}</h1>
      <Sections />
      {children}
    </>
  )
}

/** The history state of a change of section. After such a change, the pressed link keeps the focus. */
const FROM_SECTIONS = 'from-sections'
const OPEN_FROM_LEFT_PX = 40

function Sections() {
  const t = useTranslations('settings')
  const nav = useRef<HTMLElement>(null)
  const { state } = useLocation()
  const wasPressed = useArrival() !== 'step' && state === FROM_SECTIONS
  useEffect(() => {
    // On a phone the line of sections scrolls, and begins with the open section in sight.
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (open != null && nav.current !== null) nav.current.scrollLeft = open.offsetLeft - OPEN_FROM_LEFT_PX
  }, [])
  useEffect(() => {
    if (wasPressed) nav.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [wasPressed])
  return (
    <nav
      ref={nav}
      aria-label={t('sections.label')}
      onScroll={({ currentTarget }) => currentTarget.toggleAttribute('data-moved', currentTarget.scrollLeft > 0)}
      className="relative flex overflow-x-auto border-b border-hairline [scrollbar-width:none] max-sm:mask-r-from-[calc(100%-2rem)] max-sm:data-moved:mask-l-from-[calc(100%-2rem)] max-sm:pr-8 sm:flex-wrap sm:gap-x-1"
    >
      {SECTIONS.map(({ route, text }) => {
        const path = routeNamed(route)?.path
        return path === undefined ? null : (
          <NavLink key={route} to={path} end state={FROM_SECTIONS} className={({ isActive }) => sectionLook(isActive)}>
            {t(`sections.${text}`)}
          </NavLink>
        )
      })}
    </nav>
  )
}

function sectionLook(active: boolean): string {
  const base =
    'flex min-h-11 shrink-0 items-center border-b-2 px-2.5 text-[15px] focus-visible:-outline-offset-2 sm:-mb-px sm:px-4'
  return active
    ? `${base} border-signal-bright font-semibold text-ink`
    : `${base} border-transparent text-muted hover:text-ink`
}
