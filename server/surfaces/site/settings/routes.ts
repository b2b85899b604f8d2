import { account } from '#contract/calls/account-calls.ts'
import { content } from '#contract/calls/content-calls.ts'
import { CAPTCHA_ON } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { NOTIFICATION_CATEGORIES } from '#contract/notifications/notification.ts'
import { offeredProviders } from '#server/core/accounts/social/offered.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import { offeredReward } from '#server/core/programmes/offered-reward.ts'
import type { Context } from '#server/house/context.ts'
import { type Call, route } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { closedPagesOf } from '#server/house/http/closed-pages.ts'
import { shownNotices } from '#server/surfaces/site/notices/shown-notices.ts'

export const siteCalls: Call[] = [
  route(account.user, (ctx, caller) => getUser(ctx, caller.member)),
  route(content.settings, async (ctx, caller) => siteSettings(ctx, caller)),
]

function siteSettings(ctx: Context, caller: Caller) {
  const { config } = ctx
  const currency = caller.member?.currency ?? caller.zone.currency
  return {
    alerts: shownNotices(ctx, caller.locale),
    currency,
    locales: caller.zone.locales,
    captchaEnabled: config.captchaEnabled,
    // The captcha ALTCHA has no site key. A browser fetches a challenge from this path.
    captchaKey: config.captchaEnabled === CAPTCHA_ON ? '/api/v1/captcha' : '',
    telegramSubscribeReward: toDecimal(offeredReward(ctx, currency)?.amountMicros ?? 0n),
    notificationCategories: [...NOTIFICATION_CATEGORIES],
    closedPages: [...closedPagesOf(ctx, caller)],
    realtime: {
      key: config.realtime.appKey,
      port: config.realtime.port,
      tls: config.realtime.tlsCertFile !== null,
      publicUrl: config.realtime.publicUrl?.href ?? '',
    },
    authProviders: offeredProviders(ctx, caller.zone.name),
    sentryDsn: config.sentryDsn ?? '',
    demo: config.demo,
    version: config.release.version,
  }
}
