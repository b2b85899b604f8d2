import { useEffect } from 'react'
import type { NewUserNotification } from '#contract/live-events.ts'
import { useAlerts, useApi, useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { refetch } from '#web/session/refetch.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { PUSH_QUERY, pushAbility, turnPushOn } from './push-browser.ts'
import { PushOffer } from './push-offer.tsx'

/** Kinds of notifications whose live events already show an alert (preorder-news.tsx, code-arrival.tsx). */
const TOLD_ALREADY = new Set(['preorder-bought', 'preorder-ended', 'rental-ending'])

export function MemberNews() {
  useRenewedPush()
  return (
    <>
      <NotificationAlerts />
      <WithAllTexts>
        <PushOffer />
      </WithAllTexts>
    </>
  )
}

function NotificationAlerts() {
  const alerts = useAlerts()
  useLiveEvent((event) => {
    if (event.name === 'NewUserNotification') show(event.payload)
  })
  // A notification that arrives as read is about something that this page has just done, so it shows no alert.
  function show({ id, kind, title, read }: NewUserNotification): void {
    if (!read && !TOLD_ALREADY.has(kind)) alerts.add({ id: `notification-${id}`, type: 'info', text: title })
  }
  return null
}

/** Subscribes the browser to push again if the push service no longer knows it and its user still allows push. */
function useRenewedPush(): void {
  const api = useApi()
  const { queryClient } = useAppContext()
  useEffect(() => {
    // Most users have never turned push on, so no call is made for them.
    if (pushAbility() !== 'able' || Notification.permission !== 'granted') return
    async function renew(): Promise<void> {
      const { subscriptions } = await api('GET /api/v1/push', {})
      if (!subscriptions.some(({ current, gone_at }) => current && gone_at !== null)) return
      await turnPushOn(api)
      await refetch(queryClient, { queryKey: PUSH_QUERY })
    }
    renew().catch((error: unknown) => logFailure('push could not be turned on again', error))
  }, [api, queryClient])
}
