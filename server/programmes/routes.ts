import { z } from 'zod'
import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { programmesReplySchema } from '#contract/content.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { type Call, defineCall } from '#server/http/call.ts'

export const programmeCalls: Call[] = [
  defineCall('GET /api/v1/programmes', {
    auth: 'optional',
    input: z.object({}),
    reply: programmesReplySchema,
    async handle({ config }) {
      const { loyalty, referralPercent } = config.programmes
      return {
        status: true,
        loyalty,
        referral:
          referralPercent === null
            ? null
            : { percent: referralPercent, days: (REFERRAL_COOKIE_SECONDS * SECOND) / DAY },
        contacts: { email: config.contactEmail, telegram: config.contactTelegram },
      }
    },
  }),
]
