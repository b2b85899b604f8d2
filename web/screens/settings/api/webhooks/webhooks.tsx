import { useTranslations } from 'use-intl'
import type { Calls } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { MAX_WEBHOOKS } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/house/app-context.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { SecretList, type SecretProps } from '../secrets/secret-list.tsx'
import { ShownSecret } from '../secrets/shown-secret.tsx'
import { MakeWebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

const REFRESH_MS = MINUTE

export type WebhooksSeed = Seed<Calls['GET /api/v1/webhooks']['reply']>

export function Webhooks({ seed }: { seed: WebhooksSeed }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const query = useSeededQuery({
    name: 'webhooks',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/webhooks', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const words = { new: t('new'), first: t('first'), emptyTitle: t('emptyTitle'), emptyText: t('emptyText') }
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <SecretList
        query={query}
        most={MAX_WEBHOOKS}
        words={{ ...words, atMost: t('atMost', { count: MAX_WEBHOOKS }) }}
        Row={WebhookRow}
        Secret={WebhookSecret}
        Form={MakeWebhookForm}
      />
    </SettingsGroup>
  )
}

/** Shows the secret with which programs verify signatures, only once. */
function WebhookSecret({ made: { name, secret }, onSaved }: SecretProps) {
  const t = useTranslations('webhooks.secret')
  const words = { title: t('title', { label: name }), text: t('text'), saved: t('saved') }
  return <ShownSecret secret={secret} words={{ ...words, copy: t('copy'), copied: t('copied') }} onSaved={onSaved} />
}
