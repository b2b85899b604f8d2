import { Menu } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useDialogs, useSession, useSettings } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { LanguageMenu } from '#web/preferences/language-menu.tsx'
import { ThemeToggle } from '#web/preferences/theme-toggle.tsx'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'
import { Logo } from '#web/ui/marks/logo.tsx'
import { Balance } from './balance.tsx'
import { MembersBell, MembersFastNumber } from './for-members.tsx'
import { LazyMenuPanel } from './lazy-menu.ts'
import { navigationFor } from './navigation.ts'
import { SectionLink } from './section-link.tsx'

export function Header() {
  const t = useTranslations('header')
  const { signedIn } = useSession()
  const { open } = useDialogs()
  const items = navigationFor({ signedIn, closedPages: useSettings().closedPages })
  return (
    <header className="sticky top-0 z-30 order-first border-b border-hairline bg-paper print:hidden">
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-1 px-3 sm:px-5 lg:h-16">
        <Link
          to="/"
          aria-label={t('toHome')}
          className="-ml-1 inline-flex h-10 items-center rounded px-1"
          onClick={scrollToTop}
        >
          <Logo wordLook="max-sm:sr-only" />
        </Link>
        <nav aria-label={t('navigation')} className="ml-5 hidden items-center gap-0.5 lg:flex">
          {items.map((item) => (
            <SectionLink key={item.section} item={item} look={headerLinkLook} />
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-0.5">
          {signedIn ? <Balance /> : null}
          {signedIn ? <MembersFastNumber /> : null}
          {signedIn ? <MembersBell /> : null}
          <ThemeToggle />
          <LanguageMenu className="max-sm:hidden" />
          {signedIn ? null : (
            <>
              <Button kind="quiet" className="max-sm:px-2.5" onClick={() => open('login', {})}>
                {t('logIn')}
              </Button>
              <Button kind="primary" className="max-sm:px-3" onClick={() => open('registration', {})}>
                {t('register')}
              </Button>
            </>
          )}
          <Disclosure
            label={t('menu')}
            button={<Menu size={20} aria-hidden />}
            buttonLook={ICON_BUTTON_LOOK}
            panelLook="right-0 top-full mt-1 w-64 max-lg:w-96 max-sm:fixed! max-sm:inset-x-2 max-sm:top-14 max-sm:w-auto"
            className={signedIn ? 'max-lg:hidden' : 'lg:hidden'}
          >
            {(close) => <LazyMenuPanel close={close} />}
          </Disclosure>
        </div>
      </div>
    </header>
  )
}

function scrollToTop(): void {
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollTo({ top: 0, behavior: plain ? 'auto' : 'smooth' })
}

function headerLinkLook(active: boolean): string {
  const base = 'inline-flex h-10 items-center rounded px-2 text-[15px] hover:bg-sunken xl:px-3'
  return active ? `${base} font-semibold text-ink` : `${base} text-muted`
}
