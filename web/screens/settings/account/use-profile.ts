import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Provider } from '#contract/account-constants.ts'
import { useAlerts, useApi, useConfirm, useSettings } from '#web/house/app-context.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { setCookie } from '#web/session/cookie.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'

/** The cookie lives longer than a visit to the provider takes. */
const REWARD_COOKIE_SECONDS = 600

export function useProfile(provider: Provider): { pending: boolean; link: () => void; unlink: () => void } {
  const api = useApi()
  const { telegramSubscribeReward: reward } = useSettings()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const t = useTranslations('settings.profiles')
  const nameOf = useTranslations('social')
  const { pending, once } = useSingleFlight()

  /** The provider returns to /auth/{provider}/link-callback. */
  async function link(): Promise<void> {
    const { url } = await api('GET /api/auth/{provider}/redirect', { provider, purpose: 'link' })
    // The cookie makes the return from the provider open the reward (specification 4).
    if (provider === 'telegram' && Number(reward) > 0) setCookie('reward', '1', REWARD_COOKIE_SECONDS)
    location.assign(url)
  }
  async function unlink(): Promise<void> {
    const name = nameOf(provider)
    // Unlinking removes a way to sign in, so it always needs a confirmation.
    if (!(await confirm({ text: t('confirm', { provider: name }), action: t('unlink'), force: true }))) return
    await api('DELETE /api/v1/user/identities/{provider}', { provider })
    await askAgain(queryClient, { queryKey: ['identities'] })
    alerts.add({ type: 'info', text: t('unlinked', { provider: name }) })
  }
  return { pending, link: () => once(link), unlink: () => once(unlink) }
}
