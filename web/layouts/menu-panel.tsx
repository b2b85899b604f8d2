import {
  Award,
  CalendarClock,
  ChartColumn,
  CircleQuestionMark,
  History,
  House,
  Inbox,
  LifeBuoy,
  LogOut,
  type LucideIcon,
  MessageSquareText,
  Newspaper,
  Settings2,
  Tag,
  UserPlus,
  Zap,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { useDialogs, useSession, useSettings, useUser } from '#web/house/app-context.ts'
import { NavLink } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { LanguageChoices } from '#web/preferences/language-choices.tsx'
import { useSignOut } from '#web/session/use-sign-out.ts'
import { navigationFor, type Section } from './navigation.ts'
import { SectionLink } from './section-link.tsx'

const MEMBER_PAGES = ['history', 'statistic', 'loyalty', 'partners', 'settings'] as const
type MemberPage = (typeof MEMBER_PAGES)[number] | 'support' | 'staff-tickets'

const ICONS: Record<Section | MemberPage, LucideIcon> = {
  index: House,
  activations: MessageSquareText,
  rent: CalendarClock,
  price: Tag,
  blog: Newspaper,
  faq: CircleQuestionMark,
  loyalty: Award,
  history: History,
  statistic: ChartColumn,
  partners: UserPlus,
  support: LifeBuoy,
  settings: Settings2,
  'staff-tickets': Inbox,
}
const READING: readonly Section[] = ['faq', 'blog']

/** Renders the menu in groups. A wide window shows a member only the pages that its header lacks. */
export function MenuPanel({ close }: { close: () => void }) {
  const t = useTranslations('header')
  const { signedIn } = useSession()
  const user = useUser()
  const signOut = useSignOut()
  const { open } = useDialogs()
  const items = navigationFor({ signedIn, closedPages: useSettings().closedPages })
  const sections = (of: typeof items) =>
    of.map((item) => {
      const Icon = ICONS[item.section]
      return (
        <span key={item.section} className="relative lg:hidden">
          <SectionLink item={item} look={menuLinkLook} onClick={close} icon={<Icon {...ICON} />} />
        </span>
      )
    })
  const reading = items.filter(({ section }) => READING.includes(section))
  return (
    <>
      {user === null ? null : (
        <p className="truncate px-3 py-1.5 text-sm text-muted">{user.guest === undefined ? user.email : t('guest')}</p>
      )}
      <nav aria-label={t('sections')}>
        <Group title={t('groups.numbers')} look="lg:hidden">
          {sections(items.filter((item) => !reading.includes(item)))}
          {signedIn ? (
            <MenuButton
              Icon={Zap}
              onPress={() => {
                close()
                open('fastNumber', {})
              }}
            >
              {t('fastNumber')}
            </MenuButton>
          ) : null}
        </Group>
        {signedIn ? (
          <Group title={t('groups.account')}>
            {user === null || user.role === 'user' ? null : <MemberLink route="staff-tickets" onClick={close} />}
            {MEMBER_PAGES.map((route) => (
              <MemberLink key={route} route={route} onClick={close} />
            ))}
          </Group>
        ) : null}
        <Group title={t('groups.help')} look={signedIn ? '' : 'lg:hidden'}>
          {signedIn ? <MemberLink route="support" onClick={close} /> : null}
          {sections(reading)}
        </Group>
      </nav>
      <div className="my-1.5 border-t border-hairline pt-1.5 empty:hidden sm:hidden">
        <LanguageChoices onChosen={close} />
      </div>
      {signedIn ? (
        <div className="mt-1.5 border-t border-hairline pt-1.5">
          <MenuButton
            Icon={LogOut}
            onPress={() => {
              close()
              signOut()
            }}
          >
            {t('signOut')}
          </MenuButton>
        </div>
      ) : null}
    </>
  )
}

const ICON = { size: 18, 'aria-hidden': true, className: 'shrink-0 text-muted' } as const

/** Renders a group in two columns on a phone, where one column would be longer than the screen. */
function Group({ title, look = '', children }: { title: string; look?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={look}>
      <h2 id={id} className="px-3 pt-2 pb-0.5 text-[13px] font-normal text-muted lg:sr-only">
        {title}
      </h2>
      <div className="grid grid-cols-2 items-stretch lg:grid-cols-1">{children}</div>
    </section>
  )
}

function MenuButton({ Icon, onPress, children }: { Icon: LucideIcon; onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className={menuLinkLook(false)} onClick={onPress}>
      <Icon {...ICON} />
      {children}
    </button>
  )
}

function MemberLink({ route, onClick }: { route: MemberPage; onClick: () => void }) {
  const t = useTranslations('header')
  const { closedPages } = useSettings()
  const path = openRouteNamed(route, closedPages)?.path
  const Icon = ICONS[route]
  return path === undefined ? null : (
    <NavLink to={path} className={({ isActive }) => menuLinkLook(isActive)} onClick={onClick}>
      <Icon {...ICON} />
      {t(route)}
    </NavLink>
  )
}

function menuLinkLook(active: boolean): string {
  return `flex min-h-11 w-full items-center gap-2.5 rounded-sm px-3 text-left leading-tight hover:bg-sunken lg:min-h-10 ${active ? 'font-semibold' : ''}`
}
