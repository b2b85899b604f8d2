import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Provider } from '#contract/account-constants.ts'
import { useAlerts, useApi, useConfirm } from '#web/app-context.ts'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { askAgain } from '#web/session/ask-again.ts'

/** Links and unlinks one profile; one thing at a time. */
export function useProfile(provider: Provider): { pending: boolean; link: () => void; unlink: () => void } {
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const t = useTranslations('settings.profiles')
  const nameOf = useTranslations('social')
  const { pending, once } = useSingleFlight()

  /** Leaves for the service's own page, which leads back to /auth/{provider}/link-callback. */
  async function link(): Promise<void> {
    const { url } = await api('GET /api/auth/{provider}/redirect', { provider, purpose: 'link' })
    location.assign(url)
  }
  async function unlink(): Promise<void> {
    const name = nameOf(provider)
    // A way into the account is taken away: asked about whatever the person's preference is.
    if (!(await confirm({ text: t('confirm', { provider: name }), action: t('unlink'), force: true }))) return
    await api('DELETE /api/v1/user/identities/{provider}', { provider })
    await askAgain(queryClient, { queryKey: ['identities'] })
    alerts.add({ type: 'info', text: t('unlinked', { provider: name }) })
  }
  return { pending, link: () => once(link), unlink: () => once(unlink) }
}
