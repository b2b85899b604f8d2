import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { NotificationAlerts } from './notification-alerts.tsx'
import { PushOffer } from './push-offer.tsx'
import { useRenewedPush } from './use-renewed-push.ts'

/** What members hear beside the page; visitors load none of it. */
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
