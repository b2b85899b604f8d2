import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { WebhookRecord } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/app-context.ts'
import { useSingleFlight } from '#web/screens/settings/use-single-flight.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/first/select-box.tsx'
import type { MadeWebhook } from './webhook-secret.tsx'

/** How long the secret of before signs on. */
const OVERLAPS = [0, 1, 24, 72, 168] as const
const USUAL = 24

export function RotateWebhook({ record, onSecret }: { record: WebhookRecord; onSecret: (made: MadeWebhook) => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  const [hours, setHours] = useState<number>(USUAL)
  async function rotate(): Promise<void> {
    const { data, secret } = await api('POST /api/v1/webhooks/{id}/rotate', { id: record.id, overlap_hours: hours })
    await askAgain(queryClient, { queryKey: ['webhooks'] })
    if (secret !== null) onSecret({ id: data.id, label: data.label, secret })
  }
  return (
    <div className="mt-4 rounded border border-hairline bg-surface p-4">
      <p className="mb-3 text-muted">{t('rotateText')}</p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectBox
          label={t('overlapLabel')}
          labelShown
          className="min-w-56"
          value={hours}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        >
          {OVERLAPS.map((overlap) => (
            <option key={overlap} value={overlap}>
              {t('overlaps', { hours: overlap, days: overlap / 24 })}
            </option>
          ))}
        </SelectBox>
        <Button kind="primary" className="min-h-11" aria-disabled={pending} onClick={() => once(rotate)}>
          {t('rotateNow')}
        </Button>
      </div>
    </div>
  )
}
