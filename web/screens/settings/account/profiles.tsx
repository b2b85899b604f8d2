import { useLocale, useTranslations } from 'use-intl'
import type { Identity } from '#contract/account.ts'
import type { Calls } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import { useApi, useSettings } from '#web/house/app-context.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ProviderMark } from '#web/ui/marks/provider-mark.tsx'
import { useProfile } from './use-profile.ts'

/** Lists social profiles. Renders nothing if no provider is configured. */
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

/** Returns the formatted reward for linking a profile; null if there is none. */
function useReward(provider: Identity['provider']): string | null {
  const t = useTranslations('settings.profiles')
  const locale = useLocale()
  const { telegramSubscribeReward: amount, currency } = useSettings()
  if (provider !== 'telegram' || Number(amount) === 0) return null
  return t('reward', { amount: formatMoney(amount, currency, locale) })
}
