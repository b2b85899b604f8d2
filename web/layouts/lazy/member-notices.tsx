import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useDeletion } from '#web/account/use-deletion.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { useLocation } from '#web/navigation/use-page.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Button } from '#web/ui/button.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function MemberNotices() {
  return (
    <WithAllTexts>
      <Notices />
    </WithAllTexts>
  )
}

function Notices() {
  const t = useTranslations('privacy.notice')
  const user = useUser()
  if (user === null) return null
  return (
    <section aria-label={t('label')} className="notice-strips">
      {user.blocked === undefined ? null : <Blocked />}
      {user.deletion_at === undefined ? null : user.guest === undefined ? (
        <Deletion at={user.deletion_at} />
      ) : (
        <Guest until={user.deletion_at} />
      )}
      {user.documents_changed === undefined ? null : <Documents />}
    </section>
  )
}

function Blocked() {
  const t = useTranslations('privacy.notice')
  const { pathname } = useLocation()
  return (
    <Strip>
      <p>
        <strong className="font-semibold">{t('blocked')}</strong> {t('blockedText')}
      </p>
      {pathname.startsWith('/support') ? null : (
        <Link to="/support/create" className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
          {t('ask')}
        </Link>
      )}
    </Strip>
  )
}

function Guest({ until }: { until: string }) {
  const t = useTranslations('privacy.notice')
  const { dialogs } = useAppContext()
  return (
    <Strip>
      <p>
        <strong className="font-semibold">{t('guest')}</strong> {t('guestEnds')} <LocalMoment at={until} />
      </p>
      <Button onClick={() => dialogs.open('registration', {})}>{t('guestKeep')}</Button>
    </Strip>
  )
}

function Deletion({ at }: { at: string }) {
  const t = useTranslations('privacy.notice')
  const { pending, keep } = useDeletion()
  return (
    <Strip>
      <p>
        <strong className="font-semibold">{t('deletion')}</strong> {t('due')} <LocalMoment at={at} />
      </p>
      <Button aria-disabled={pending} onClick={keep}>
        {t('keep')}
      </Button>
    </Strip>
  )
}

function Documents() {
  const t = useTranslations('privacy.notice')
  const { api, queryClient } = useAppContext()
  const { pending, once } = useSingleFlight()
  const read = () =>
    once(async () => {
      await api('POST /api/v1/privacy/consent', {})
      await refetch(queryClient, { queryKey: ['user'] })
    })
  return (
    <Strip>
      <p>
        {t.rich('changed', {
          terms: (words) => <DocumentLink to="/terms-of-use">{words}</DocumentLink>,
          privacy: (words) => <DocumentLink to="/privacy-policy">{words}</DocumentLink>,
        })}
      </p>
      <Button aria-disabled={pending} onClick={read}>
        {t('read')}
      </Button>
    </Strip>
  )
}

function DocumentLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={TEXT_BUTTON_LOOK}>
      {children}
    </Link>
  )
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <div className="border-b border-hairline bg-sunken">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-6 gap-y-2 px-3 py-2 sm:px-5">
        {children}
      </div>
    </div>
  )
}
