import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Calls } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { MAX_WEBHOOKS } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/app-context.ts'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { type Seed, useSeededQuery } from '#web/screens/settings/seeded-query.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MakeWebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'
import { type MadeWebhook, WebhookSecret } from './webhook-secret.tsx'

/** Shows without a reload that one fails. */
const REFRESH_MS = MINUTE

export type WebhooksSeed = Seed<Calls['GET /api/v1/webhooks']['reply']>

/** Where programs are told of codes, newest first. */
export function Webhooks({ seed }: { seed: WebhooksSeed }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const query = useSeededQuery({
    name: 'webhooks',
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/webhooks', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const [made, setMade] = useState<MadeWebhook | null>(null)
  const webhooks = query.data?.data
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      {made === null ? null : <WebhookSecret key={made.secret} made={made} onSaved={() => setMade(null)} />}
      {webhooks === undefined ? (
        <NotLoaded query={query} skeletons={['h-24', 'h-23']} />
      ) : (
        <>
          {webhooks.length === 0 ? null : (
            <ul className="divide-y divide-hairline">
              {webhooks.map((record) => (
                <WebhookRow
                  key={record.id}
                  record={record}
                  onSecret={setMade}
                  onDeleted={() => setMade((shown) => (shown?.id === record.id ? null : shown))}
                />
              ))}
            </ul>
          )}
          <NewWebhook count={webhooks.length} secretShown={made !== null} onMade={setMade} />
        </>
      )}
    </SettingsGroup>
  )
}

type NewWebhookProps = { count: number; secretShown: boolean; onMade: (made: MadeWebhook | null) => void }

function NewWebhook({ count, secretShown, onMade }: NewWebhookProps) {
  const t = useTranslations('webhooks')
  const [open, setOpen] = useState(false)
  if (open) {
    return (
      <MakeWebhookForm
        onCancel={() => setOpen(false)}
        onMade={(made) => {
          setOpen(false)
          onMade(made)
        }}
      />
    )
  }
  if (count >= MAX_WEBHOOKS) return <p className="mt-4 text-muted">{t('atMost', { count: MAX_WEBHOOKS })}</p>
  if (count > 0) {
    return (
      <Button className="mt-5" onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
    )
  }
  return secretShown ? null : (
    <EmptyState title={t('emptyTitle')} text={t('emptyText')}>
      <Button onClick={() => setOpen(true)}>{t('first')}</Button>
    </EmptyState>
  )
}
