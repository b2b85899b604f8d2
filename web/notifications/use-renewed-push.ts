import { useEffect } from 'react'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { PUSH_QUERY, pushAbility, turnPushOn } from './push-browser.ts'

/** Subscribes a browser again that the push service no longer knows, as long as its user allows push. */
export function useRenewedPush(): void {
  const api = useApi()
  const { queryClient } = useAppContext()
  useEffect(() => {
    // Most users have never turned push on, so they cost no call.
    if (pushAbility() !== 'able' || Notification.permission !== 'granted') return
    async function renew(): Promise<void> {
      const { subscriptions } = await api('GET /api/v1/push', {})
      if (!subscriptions.some(({ current, gone_at }) => current && gone_at !== null)) return
      await turnPushOn(api)
      await askAgain(queryClient, { queryKey: PUSH_QUERY })
    }
    renew().catch((error: unknown) => logFailure('push could not be turned on again', error))
  }, [api, queryClient])
}
