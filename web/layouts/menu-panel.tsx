import { useTranslations } from 'use-intl'
import { useDialogs, useSession, useSettings, useUser } from '#web/house/app-context.ts'
import { NavLink } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { LanguageChoices } from '#web/preferences/language-choices.tsx'
import { useSignOut } from '#web/session/use-sign-out.ts'
import { navigationFor } from './navigation.ts'
import { SectionLink } from './section-link.tsx'

const MEMBER_PAGES = ['history', 'statistic', 'partners', 'support', 'settings'] as const
const STAFF_PAGES = ['staff-tickets', ...MEMBER_PAGES] as const

export function MenuPanel({ close }: { close: () => void }) {
  const t = useTranslations('header')
  const { signedIn } = useSession()
  const user = useUser()
  const signOut = useSignOut()
  const { open } = useDialogs()
  const items = navigationFor({ signedIn, closedPages: useSettings().closedPages })
  return (
    <>
      {user === null ? null : <p className="truncate px-3 py-2 text-sm text-muted">{user.email}</p>}
      {signedIn ? (
        <button
          type="button"
          className={`lg:hidden ${menuLinkLook(false)}`}
          onClick={() => {
            close()
            open('fastNumber', {})
          }}
        >
          {t('fastNumber')}
        </button>
      ) : null}
      <nav aria-label={t('sections')} className="lg:hidden">
        {items.map((item) => (
          <SectionLink key={item.section} item={item} look={menuLinkLook} onClick={close} />
        ))}
      </nav>
      <div className="my-1.5 border-t border-hairline pt-1.5 empty:hidden sm:hidden">
        <LanguageChoices onChosen={close} />
      </div>
      {signedIn ? (
        <div className="border-hairline max-sm:border-t max-sm:pt-1.5">
          {(user === null || user.role === 'user' ? MEMBER_PAGES : STAFF_PAGES).map((route) => (
            <MemberLink key={route} route={route} onClick={close} />
          ))}
          <button
            type="button"
            className={menuLinkLook(false)}
            onClick={() => {
              close()
              signOut()
            }}
          >
            {t('signOut')}
          </button>
        </div>
      ) : null}
    </>
  )
}

function MemberLink({ route, onClick }: { route: (typeof STAFF_PAGES)[number]; onClick: () => void }) {
  const t = useTranslations('header')
  const { closedPages } = useSettings()
  const path = openRouteNamed(route, closedPages)?.path
  return path === undefined ? null : (
    <NavLink to={path} className={({ isActive }) => menuLinkLook(isActive)} onClick={onClick}>
      {t(route)}
    </NavLink>
  )
}

function menuLinkLook(active: boolean): string {
  return `flex min-h-10 w-full items-center rounded-sm px-3 text-left hover:bg-sunken ${active ? 'font-semibold' : ''}`
}
