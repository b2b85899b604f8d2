import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { programmes } from '#contract/calls/programme-calls.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { ReferralSettings } from '#server/house/config/referral-settings.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { getLoyalty, toTerms } from './loyalty/get-loyalty.ts'
import { findCurrent } from './loyalty/open-period.ts'

export const programmeCalls: Call[] = [
  route(programmes.terms, async (ctx, { member, zone }) => {
    const { config } = ctx
    const { referral } = config.programmes
    const currency = member?.currency ?? zone.currency
    const loyalty = await findCurrent(ctx, currency)
    return {
      status: true,
      loyalty: loyalty === null ? null : toTerms(loyalty, currency),
      referral: referral.percent === null ? null : describe(referral, referral.percent),
      contacts: { email: config.contactEmail, telegram: config.contactTelegram },
    }
  }),
  route(programmes.loyalty, getLoyalty),
]

function describe({ of, pendingDays, months, networks }: ReferralSettings, percent: number) {
  return {
    percent,
    of,
    months,
    pending_days: pendingDays,
    to_address: networks.length > 0,
    days: (REFERRAL_COOKIE_SECONDS * SECOND) / DAY,
  }
}
