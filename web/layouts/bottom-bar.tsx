import { CalendarClock, Ellipsis, MessageSquareText, Plus, ShoppingBag } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSettings, useUser } from '#web/house/app-context.ts'
import { NavLink } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { LazyMenuPanel } from './lazy-menu.ts'

const TABS = [
  { route: 'activations', text: 'numbers', Icon: MessageSquareText },
  { route: 'index', text: 'buy', Icon: ShoppingBag },
  { route: 'rent', text: 'rent', Icon: CalendarClock },
  { route: 'top-up', text: 'topUpShort', Icon: Plus },
] as const

const TAB_LOOK = 'flex flex-col items-center justify-center gap-0.5 text-xs'

export function BottomBar() {
  const t = useTranslations('header')
  const numbers = useUser()?.activations
  const { closedPages } = useSettings()
  const counts: Partial<Record<string, number>> = { activations: numbers?.count, rent: numbers?.rent_count }
  return (
    <nav
      aria-label={t('quick')}
      className="fixed inset-x-0 bottom-0 z-30 flex print:hidden h-(--bottom-bar) border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {TABS.map(({ route, text, Icon }) => {
        const path = openRouteNamed(route, closedPages)?.path
        const count = counts[route] ?? 0
        return path === undefined ? null : (
          <NavLink
            key={route}
            to={path}
            end={path === '/'}
            className={({ isActive }) =>
              `${TAB_LOOK} grow basis-0 ${isActive ? 'font-semibold text-signal' : 'text-muted'}`
            }
          >
            <span className="relative">
              <Icon size={20} aria-hidden />
              {count > 0 ? (
                <span
                  aria-hidden
                  className="absolute -top-1.5 left-3.5 min-w-4 rounded-full bg-signal-fill px-1 text-center text-[10px] leading-4 font-semibold text-on-signal tabular"
                >
                  {count}
                </span>
              ) : null}
            </span>
            {t(text)}
          </NavLink>
        )
      })}
      <Disclosure
        label={t('more')}
        button={
          <>
            <Ellipsis size={20} aria-hidden />
            {t('more')}
          </>
        }
        buttonLook={`${TAB_LOOK} size-full text-muted`}
        panelLook="fixed! inset-x-2 bottom-[calc(var(--bottom-bar)+0.5rem)] max-h-[calc(100dvh-var(--bottom-bar)-1rem)] overflow-y-auto sm:left-auto sm:w-96"
        className="grow basis-0"
      >
        {(close) => <LazyMenuPanel close={close} />}
      </Disclosure>
    </nav>
  )
}
