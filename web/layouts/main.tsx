import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSession, useSettings, useUser } from '#web/house/app-context.ts'
import { LiveLine } from '#web/live/live-line.tsx'
import { useOfflinePage } from '#web/navigation/offline-page.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { AlertHost } from './alert-host.tsx'
import { Footer } from './footer.tsx'
import { MembersBottomBar } from './for-members.tsx'
import { Header } from './header.tsx'

const DeferredEffects = lazyPart(async () => (await import('./deferred-effects.tsx')).DeferredEffects)
const MemberNotices = lazyPart(async () => (await import('./lazy/member-notices.tsx')).MemberNotices)

const NoticeBanner = lazyPart(async () => (await import('#web/notices/notice-banner.tsx')).NoticeBanner)

export function MainLayout({ children }: { children: ReactNode }) {
  const t = useTranslations('layout')
  const { signedIn } = useSession()
  const { alerts } = useSettings()
  const user = useUser()
  // The service worker is registered with the page, because the network may be gone before deferred effects load.
  useOfflinePage()
  return (
    <div className={`flex min-h-dvh flex-col ${signedIn ? 'with-bottom-bar' : ''}`}>
      <a
        href="#main"
        className="sr-only z-50 rounded bg-surface px-4 py-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('skip')}
      </a>
      {alerts.length > 0 ? <NoticeBanner /> : null}
      <Header />
      {(user?.deletion_at ?? user?.documents_changed ?? user?.blocked) ? <MemberNotices /> : null}
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl grow px-3 pt-4 outline-none sm:px-5 lg:pt-6">
        {children}
      </main>
      <Footer />
      {signedIn ? <MembersBottomBar /> : null}
      <AlertHost />
      <LiveLine />
      <DeferredEffects />
    </div>
  )
}
