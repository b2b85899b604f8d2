import { useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { SessionEntry } from '#contract/account.ts'
import { UNKNOWN_DEVICE } from '#contract/account-constants.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { unlessGone } from '#web/screens/settings/unless-gone.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSignOut } from '#web/session/use-sign-out.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { LastUse } from './last-use-time.tsx'

const IN_THE_HAND = /Android|iOS/

export function SessionRow({ session }: { session: SessionEntry }) {
  const t = useTranslations('settings.sessions')
  const tHeader = useTranslations('header')
  const { pending, end } = useEnd(session.id)
  const signOut = useSignOut()
  const device = session.device === UNKNOWN_DEVICE ? t('unknownDevice') : session.device
  const Icon = IN_THE_HAND.test(session.device) ? Smartphone : Monitor
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-1 py-2.5">
      <Icon size={22} aria-hidden className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium">{device}</p>
        <p className="dotted text-sm text-muted">
          <span className="tabular break-all">{session.address}</span>
          <span>{session.current ? t('now') : <LastUse at={session.last_used_at} />}</span>
        </p>
      </div>
      {session.current ? (
        <span className="ml-auto flex items-center gap-3">
          <span className="rounded-full bg-sunken px-3 py-1 text-sm font-medium">{t('current')}</span>
          <Button onClick={signOut}>{tHeader('signOut')}</Button>
        </span>
      ) : (
        <Button aria-label={t('endOn', { device })} aria-disabled={pending} onClick={end}>
          {t('end')}
        </Button>
      )}
    </li>
  )
}

function useEnd(id: string): { pending: boolean; end: () => void } {
  const t = useTranslations('settings.sessions')
  const api = useApi()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function end(): Promise<void> {
    if (!(await confirm({ text: t('confirm'), action: t('end') }))) return
    await unlessGone(api('DELETE /api/v1/user/sessions/{id}', { id }))
    await refetch(queryClient, { queryKey: ['sessions'] })
  }
  return { pending, end: () => once(end) }
}
