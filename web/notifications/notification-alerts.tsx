import type { NewUserNotification } from '#contract/live-events.ts'
import { useAlerts } from '#web/house/app-context.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'

/** Kinds whose live events already show an alert (preorder-news.tsx, code-arrival.tsx). */
const TOLD_ALREADY = new Set(['preorder-bought', 'preorder-ended', 'rental-ending'])

/** Shows an alert for each notification. The alert queue delays alerts while the page is hidden. */
export function NotificationAlerts() {
  const alerts = useAlerts()
  useLiveEvent((event) => {
    if (event.name === 'NewUserNotification') show(event.payload)
  })
  // A notification that arrives as read is about something that this page has just done.
  function show({ id, kind, title, read }: NewUserNotification): void {
    if (!read && !TOLD_ALREADY.has(kind)) alerts.add({ id: `notification-${id}`, type: 'info', text: title })
  }
  return null
}
