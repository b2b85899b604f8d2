import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { useArrival, useLocation } from '#web/navigation/use-page.ts'
import { type HistoryChoice, unfiltered, VIEWS, writeHistory } from './history-filter.ts'

/** The history state of a change of view. After such a change, the pressed link keeps the focus. */
const FROM_TABS = 'from-view-tabs'

export function ViewTabs({ choice }: { choice: HistoryChoice }) {
  const t = useTranslations('history')
  const nav = useRef<HTMLElement>(null)
  const { state } = useLocation()
  const wasPressed = useArrival() !== 'step' && state === FROM_TABS
  useEffect(() => {
    if (wasPressed) nav.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [wasPressed])
  return (
    <nav
      ref={nav}
      aria-label={t('view.label')}
      className="mt-1 flex overflow-x-auto sm:gap-1 border-b border-hairline print:hidden"
    >
      {VIEWS.map((view) => {
        const isOpen = choice.view === view
        const there = isOpen ? { ...choice, payment: null } : { ...unfiltered(view), days: choice.days }
        return (
          <Link
            key={view}
            to={{ search: writeHistory(new URLSearchParams(), there).toString() }}
            state={FROM_TABS}
            preventScrollReset
            aria-current={isOpen ? 'page' : undefined}
            className={`-mb-px flex min-h-11 items-center border-b-2 px-1.5 whitespace-nowrap max-sm:text-[14px] sm:px-4 ${
              isOpen ? 'border-signal-bright font-semibold text-ink' : 'border-transparent text-muted hover:text-ink'
            }`}
          >
            {t(`view.${view}`)}
          </Link>
        )
      })}
    </nav>
  )
}
