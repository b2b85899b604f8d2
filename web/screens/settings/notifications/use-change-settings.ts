import { useRef } from 'react'
import type { Calls } from '#contract/calls/calls.ts'
import type { NotificationSettings } from '#contract/notifications/notification.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'

export const NOTIFICATION_SETTINGS_KEY = 'notification-settings'

type Change = Calls['PATCH /api/v1/notifications/settings']['input']

/**
 * Returns a function that saves changes of notification settings, one after another. The page shows `shown` during the
 * save. A failure refetches the true settings.
 */
export function useChangeSettings(): (change: Change, shown?: NotificationSettings) => Promise<boolean> {
  const { api, queryClient } = useAppContext()
  const fail = useFailure()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)
  const show = (settings: NotificationSettings) =>
    queryClient.setQueriesData<NotificationSettings>({ queryKey: [NOTIFICATION_SETTINGS_KEY] }, settings)

  async function save(change: Change): Promise<boolean> {
    try {
      const saved = await api('PATCH /api/v1/notifications/settings', change)
      // A reply to an earlier change is ignored, because it would undo a later change that is still pending.
      if (waiting.current === 1) show(saved)
      return true
    } catch (error) {
      fail(error)
      await refetch(queryClient, { queryKey: [NOTIFICATION_SETTINGS_KEY] })
      return false
    } finally {
      waiting.current -= 1
    }
  }
  return (change, shown) => {
    if (shown !== undefined) show(shown)
    waiting.current += 1
    const saved = last.current.then(() => save(change))
    last.current = saved
    return saved
  }
}
