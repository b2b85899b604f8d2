import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import type { Identity } from '#contract/account.ts'
import type { Provider } from '#contract/account-constants.ts'
import type { Calls } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import { useAlerts, useApi, useConfirm, useSettings } from '#web/house/app-context.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { setCookie } from '#web/session/cookie.ts'
import { refetch } from '#web/session/refetch.ts'
import { type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { ProviderMark } from '#web/ui/marks/provider-mark.tsx'

/** The reward cookie lives longer than a visit to the provider takes. */
const REWARD_COOKIE_SECONDS = 600

export function Profiles({ seed }: { seed: Seed<Calls['GET /api/v1/user/identities']['reply']> }) {
  const t = useTranslations('settings.profiles')
  const api = useApi()
  const query = useSeededQuery({
    name: 'identities',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/user/identities', {}, { signal }),
  })
  const identities = query.data?.identities
  if (identities?.length === 0) return null
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {identities === undefined ? (
        <NotLoaded query={query} skeletons={['h-14']} />
      ) : (
        <ul className="-my-2 divide-y divide-hairline">
          {identities.map((identity) => (
            <ProfileRow key={identity.provider} identity={identity} />
          ))}
        </ul>
      )}
    </SettingsGroup>
  )
}

function ProfileRow({ identity }: { identity: Identity }) {
  const t = useTranslations('settings.profiles')
  const nameOf = useTranslations('social')
  const { pending, link, unlink } = useProfile(identity.provider)
  const provider = nameOf(identity.provider)
  const linked = identity.linked_at !== null
  const reward = useReward(identity.provider)
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <ProviderMark provider={identity.provider} size={28} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{provider}</p>
        <p className="truncate text-sm text-muted">
          {linked ? (identity.name ?? t('linked')) : (reward ?? t('notLinked'))}
        </p>
      </div>
      <Button
        aria-label={t(linked ? 'unlinkFrom' : 'linkTo', { provider })}
        aria-disabled={pending}
        onClick={linked ? unlink : link}
      >
        {t(linked ? 'unlink' : 'link')}
      </Button>
    </li>
  )
}

/** Returns the formatted reward for linking a profile; null without a reward. */
function useReward(provider: Identity['provider']): string | null {
  const t = useTranslations('settings.profiles')
  const locale = useLocale()
  const { telegramSubscribeReward: amount, currency } = useSettings()
  if (provider !== 'telegram' || Number(amount) === 0) return null
  return t('reward', { amount: formatMoney(amount, currency, locale) })
}

function useProfile(provider: Provider): { pending: boolean; link: () => void; unlink: () => void } {
  const api = useApi()
  const { telegramSubscribeReward: reward } = useSettings()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const t = useTranslations('settings.profiles')
  const nameOf = useTranslations('social')
  const { pending, once } = useSingleFlight()

  async function link(): Promise<void> {
    const { url } = await api('GET /api/auth/{provider}/redirect', { provider, purpose: 'link' })
    // If this cookie is set, the reward dialog opens after the return from the provider (specification 4).
    if (provider === 'telegram' && Number(reward) > 0) setCookie('reward', '1', REWARD_COOKIE_SECONDS)
    location.assign(url)
  }
  async function unlink(): Promise<void> {
    const name = nameOf(provider)
    // Unlinking a profile removes a way to sign in, so it always needs a confirmation.
    if (!(await confirm({ text: t('confirm', { provider: name }), action: t('unlink'), force: true }))) return
    await api('DELETE /api/v1/user/identities/{provider}', { provider })
    await refetch(queryClient, { queryKey: ['identities'] })
    alerts.add({ type: 'info', text: t('unlinked', { provider: name }) })
  }
  return { pending, link: () => once(link), unlink: () => once(unlink) }
}
