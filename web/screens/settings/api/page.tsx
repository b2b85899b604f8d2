import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { MAX_KEYS } from '#contract/api-key.ts'
import type { Calls } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { useApi } from '#web/app-context.ts'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { loadSeed, type Seed, useSeededQuery } from '#web/screens/settings/seeded-query.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { SettingsLayout } from '#web/screens/settings/settings-layout.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Connect } from './connect.tsx'
import { MakeKeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'
import { type MadeSecret, NewSecret } from './new-secret.tsx'
import { Webhooks, type WebhooksSeed } from './webhooks/webhooks.tsx'

/** Shows the last use and what was spent without a reload. */
const REFRESH_MS = MINUTE

type Loaded = { keys: Seed<Calls['GET /api/v1/keys']['reply']>; webhooks: WebhooksSeed }

export async function loader({ api, now }: LoaderInput): Promise<Loaded> {
  const [keys, webhooks] = await Promise.all([
    loadSeed(now, api('GET /api/v1/keys', {})),
    loadSeed(now, api('GET /api/v1/webhooks', {})),
  ])
  return { keys, webhooks }
}

/** /settings/api: keys of programs and their webhooks, newest first. */
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
  const [secret, setSecret] = useState<MadeSecret | null>(null)
  const keys = query.data?.data
  return (
    <SettingsLayout section="api">
      <SettingsGroup title={t('title')} text={t('text')}>
        {secret === null ? null : <NewSecret key={secret.secret} made={secret} onSaved={() => setSecret(null)} />}
        {keys === undefined ? (
          <NotLoaded query={query} skeletons={['h-24', 'h-23']} />
        ) : (
          <>
            {keys.length === 0 ? null : (
              <ul className="divide-y divide-hairline">
                {keys.map((record) => (
                  <KeyRow
                    key={record.id}
                    record={record}
                    onSecret={setSecret}
                    onRevoked={() => setSecret((shown) => (shown?.id === record.id ? null : shown))}
                  />
                ))}
              </ul>
            )}
            <NewKey count={keys.length} secretShown={secret !== null} onSecret={setSecret} />
          </>
        )}
      </SettingsGroup>
      <Webhooks seed={webhooks} />
      <SettingsGroup title={t('connect.title')} text={t('connect.text')}>
        <Connect />
      </SettingsGroup>
    </SettingsLayout>
  )
}

type NewKeyProps = { count: number; secretShown: boolean; onSecret: (made: MadeSecret) => void }

function NewKey({ count, secretShown, onSecret }: NewKeyProps) {
  const t = useTranslations('keys')
  const [open, setOpen] = useState(false)
  if (open) {
    return (
      <MakeKeyForm
        onCancel={() => setOpen(false)}
        onMade={(made) => {
          setOpen(false)
          onSecret(made)
        }}
      />
    )
  }
  if (count >= MAX_KEYS) return <p className="mt-4 text-muted">{t('atMost', { count: MAX_KEYS })}</p>
  if (count > 0) {
    return (
      <Button className="mt-5" onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
    )
  }
  return secretShown ? null : (
    <EmptyState title={t('emptyTitle')} text={t('emptyText')}>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {t('first')}
      </Button>
    </EmptyState>
  )
}
