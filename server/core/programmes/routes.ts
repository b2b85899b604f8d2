import { z } from 'zod'
import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { programmesReplySchema } from '#contract/content.ts'
import { loyaltyReplySchema } from '#contract/programmes/loyalty.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { ReferralSettings } from '#server/house/config/referral-settings.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { getLoyalty, toTerms } from './loyalty/get-loyalty.ts'
import { findCurrent } from './loyalty/open-period.ts'

export const programmeCalls: Call[] = [
  defineCall('GET /api/v1/programmes', {
    auth: 'optional',
    input: z.object({}),
    reply: programmesReplySchema,
    async handle(ctx, { member, zone }) {
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
    },
  }),
  defineCall('GET /api/v1/loyalty', {
    auth: 'required',
    scope: 'read',
    input: z.object({}),
    reply: loyaltyReplySchema,
    handle: getLoyalty,
  }),
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
