import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { WebhookRecord } from '#contract/webhooks/webhook.ts'
import { useApi } from '#web/house/app-context.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { RotateSecret } from '../secrets/rotate-secret.tsx'
import type { MadeSecret } from '../secrets/secret-list.tsx'

export function RotateWebhook({ record, onSecret }: { record: WebhookRecord; onSecret: (made: MadeSecret) => void }) {
  const t = useTranslations('webhooks')
  const api = useApi()
  const queryClient = useQueryClient()
  async function rotate(hours: number): Promise<void> {
    const { data, secret } = await api('POST /api/v1/webhooks/{id}/rotate', { id: record.id, overlap_hours: hours })
    await askAgain(queryClient, { queryKey: ['webhooks'] })
    if (secret !== null) onSecret({ id: data.id, name: data.label, secret })
  }
  const words = { text: t('rotateText'), label: t('overlapLabel'), submit: t('rotateNow') }
  return <RotateSecret words={words} overlapText={(overlap) => t('overlaps', overlap)} rotate={rotate} />
}
