import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useAlerts, useApi, useConfirm } from '#web/house/app-context.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'

export function EndOthers({ count }: { count: number }) {
  const t = useTranslations('settings.sessions')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function endOthers(): Promise<void> {
    if (!(await confirm({ text: t('confirmOthers', { count }), action: t('endOthers') }))) return
    const { ended } = await api('DELETE /api/v1/user/sessions', {})
    alerts.add({ type: 'info', text: t('ended', { count: ended }) })
    await askAgain(queryClient, { queryKey: ['sessions'] })
  }
  return (
    <Button className="mt-6" aria-disabled={pending} onClick={() => once(endOthers)}>
      {t('endOthers')}
    </Button>
  )
}
