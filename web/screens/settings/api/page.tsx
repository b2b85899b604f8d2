import { useTranslations } from 'use-intl'
import { MAX_KEYS } from '#contract/api-key.ts'
import type { Calls } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { Connect } from './connect.tsx'
import { MakeKeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'
import { NewSecret } from './new-secret.tsx'
import { PlayMoney } from './play-money.tsx'
import { SecretList } from './secrets/secret-list.tsx'
import { Webhooks, type WebhooksSeed } from './webhooks/webhooks.tsx'

const REFRESH_MS = MINUTE

type Loaded = { keys: Seed<Calls['GET /api/v1/keys']['reply']>; webhooks: WebhooksSeed }

export async function loader({ api, now }: LoaderInput): Promise<Loaded> {
  const [keys, webhooks] = await Promise.all([
    loadSeed(now, api('GET /api/v1/keys', {})),
    loadSeed(now, api('GET /api/v1/webhooks', {})),
  ])
  return { keys, webhooks }
}

export function Page() {
  const t = useTranslations('keys')
  const { keys: seed, webhooks } = useScreenData<typeof loader>()
  const api = useApi()
  const query = useSeededQuery({
    name: 'keys',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/keys', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const words = { new: t('new'), first: t('first'), emptyTitle: t('emptyTitle'), emptyText: t('emptyText') }
  return (
    <SettingsLayout section="api">
      <SettingsGroup title={t('title')} text={t('text')}>
        <SecretList
          query={query}
          most={MAX_KEYS}
          words={{ ...words, atMost: t('atMost', { count: MAX_KEYS }) }}
          firstKind="primary"
          Row={KeyRow}
          Secret={NewSecret}
          Form={MakeKeyForm}
        />
      </SettingsGroup>
      {query.data?.data.some(({ sandbox }) => sandbox) ? <PlayMoney /> : null}
      <Webhooks seed={webhooks} />
      <SettingsGroup title={t('connect.title')} text={t('connect.text')}>
        <Connect />
      </SettingsGroup>
    </SettingsLayout>
  )
}
