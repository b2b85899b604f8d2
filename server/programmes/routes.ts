import { z } from 'zod'
import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { programmesReplySchema } from '#contract/content.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { ReferralSettings } from '#server/config/referral-settings.ts'
import { type Call, defineCall } from '#server/http/call.ts'

export const programmeCalls: Call[] = [
  defineCall('GET /api/v1/programmes', {
    auth: 'optional',
    input: z.object({}),
    reply: programmesReplySchema,
    async handle({ config }) {
      const { loyalty, referral } = config.programmes
      return {
        status: true,
        loyalty,
        referral: referral.percent === null ? null : describe(referral, referral.percent),
        contacts: { email: config.contactEmail, telegram: config.contactTelegram },
      }
    },
  }),
]

function describe({ of, pendingDays, months, networks }: ReferralSettings, percent: number) {
  return {
    ...{ percent, of, months, pending_days: pendingDays, to_address: networks.length > 0 },
    days: (REFERRAL_COOKIE_SECONDS * SECOND) / DAY,
  }
}
