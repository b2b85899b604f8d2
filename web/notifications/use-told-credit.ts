import { useEffect, useEffectEvent } from 'react'
import { paymentPath } from '#contract/payment.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { useReading } from './use-notifications.ts'

/** Marks the notification about a payment as read if the visible page already shows the credit (`isTold`). */
export function useToldCredit(transactionId: string | null, isTold: boolean): void {
  const { readLink } = useReading()
  const { alerts } = useAppContext()
  const link = transactionId === null ? null : paymentPath(transactionId)
  const read = useEffectEvent((hasArrived: boolean): boolean => {
    if (link === null || document.visibilityState !== 'visible') return false
    readLink(link, { hasArrived })
    return true
  })
  useEffect(() => {
    if (link === null || !isTold || read(false)) return
    const onSight = () => {
      if (read(false)) document.removeEventListener('visibilitychange', onSight)
    }
    document.addEventListener('visibilitychange', onSight)
    return () => document.removeEventListener('visibilitychange', onSight)
  }, [link, isTold])
  useLiveEvent(({ name, payload }) => {
    if (name !== 'NewUserNotification' || payload.kind !== 'payment-credited') return
    if (payload.link !== link || payload.read || !read(true)) return
    // The listener that adds the alert may come later.
    setTimeout(() => alerts.dismiss(`notification-${payload.id}`))
  })
}
