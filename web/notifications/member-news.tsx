import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { NotificationAlerts } from './notification-alerts.tsx'
import { PushOffer } from './push-offer.tsx'
import { useRenewedPush } from './use-renewed-push.ts'

/** Announcements to members beside the page. Visitors load none of this code. */
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
