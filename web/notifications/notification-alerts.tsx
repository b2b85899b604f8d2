import type { NewUserNotification } from '#contract/live-events.ts'
import { useAlerts } from '#web/house/app-context.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'

/** The events of these show an alert at once: buying/preorder/preorder-news.tsx, numbers/codes/code-arrival.tsx. */
const TOLD_ALREADY = new Set(['preorder-bought', 'preorder-ended', 'rental-ending'])

/** The queue of alerts holds them back while the page is hidden. */
export function NotificationAlerts() {
  const alerts = useAlerts()
  useLiveEvent((event) => {
    if (event.name === 'NewUserNotification') show(event.payload)
  })
  // A read one is what this page has just done.
  function show({ id, kind, title, read }: NewUserNotification): void {
    if (!read && !TOLD_ALREADY.has(kind)) alerts.add({ id: `notification-${id}`, type: 'info', text: title })
  }
  return null
}
