import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { NotificationAlerts } from './notification-alerts.tsx'
import { PushOffer } from './push-offer.tsx'

/** What members hear beside the page; visitors load none of it. */
export function MemberNews() {
  return (
    <>
      <NotificationAlerts />
      <WithAllTexts>
        <PushOffer />
      </WithAllTexts>
    </>
  )
}
