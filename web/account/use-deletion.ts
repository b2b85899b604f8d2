import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'

/** Begins or cancels the deletion of the account. `giveUp` is the shown balance to give up, null if none. */
export function useDeletion() {
  const t = useTranslations('privacy.deletion')
  const { api, alerts, queryClient } = useAppContext()
  const { pending, once } = useSingleFlight()
  const reload = async () => {
    await Promise.all([refetch(queryClient, { queryKey: ['privacy'] }), refetch(queryClient, { queryKey: ['user'] })])
  }
  const begin = (giveUp: string | null) =>
    once(async () => {
      await api('POST /api/v1/privacy/deletion', giveUp === null ? {} : { give_up: giveUp })
      // No alert follows, because it would cover the page's text about the deletion and how to keep the account.
      await reload()
    })
  const keep = () =>
    once(async () => {
      try {
        await api('DELETE /api/v1/privacy/deletion', {})
        alerts.add({ type: 'info', text: t('kept') })
      } finally {
        await reload()
      }
    })
  return { pending, begin, keep }
}
