import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { KeyRecord } from '#contract/api-key.ts'
import { useApi } from '#web/house/app-context.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { RotateSecret } from './secrets/rotate-secret.tsx'
import type { MadeSecret } from './secrets/secret-list.tsx'

type RotateFormProps = { record: KeyRecord; onSecret: (made: MadeSecret) => void }

export function RotateForm({ record, onSecret }: RotateFormProps) {
  const t = useTranslations('keys')
  const api = useApi()
  const queryClient = useQueryClient()
  async function rotate(hours: number): Promise<void> {
    const input = { id: record.id, overlap_hours: hours }
    const { secret, data } = await api('POST /api/v1/keys/{id}/rotate', input)
    await askAgain(queryClient, { queryKey: ['keys'] })
    onSecret({ id: data.id, name: data.name, secret })
  }
  const words = { text: t('rotateText'), label: t('overlapLabel'), submit: t('rotateNow') }
  return <RotateSecret words={words} overlapText={(overlap) => t('overlaps', overlap)} rotate={rotate} />
}
