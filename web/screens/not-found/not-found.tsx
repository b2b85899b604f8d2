import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useDialogs, useSession } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { PageHead } from '#web/navigation/page-head.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { buttonLook } from '#web/ui/button.tsx'
import { TornTicket } from '#web/ui/torn-ticket.tsx'

export function NotFound() {
  const t = useTranslations('errors')
  return (
    <>
      <PageHead title={t('notFoundTitle')} indexable={false} />
      <div className="grid justify-items-center gap-5 py-12 text-center">
        <TornTicket text="404" />
        <h1 className="text-2xl font-semibold tracking-tight">{t('notFound')}</h1>
        <p className="text-muted">{t.rich('trouble', { link: (words) => <SupportLink>{words}</SupportLink> })}</p>
        <Link to="/" className={buttonLook('primary')}>
          {t('toHome')}
        </Link>
      </div>
    </>
  )
}

function SupportLink({ children }: { children: ReactNode }) {
  const { signedIn } = useSession()
  const { open } = useDialogs()
  const support = routeNamed('support')
  const look = 'inline-flex min-h-10 items-center text-signal underline underline-offset-4'
  if (!signedIn) {
    const redirect = support === undefined ? {} : { redirect: support.path }
    return (
      <button type="button" className={look} onClick={() => open('login', redirect)}>
        {children}
      </button>
    )
  }
  return support === undefined ? (
    children
  ) : (
    <Link to={support.path} className={look}>
      {children}
    </Link>
  )
}
