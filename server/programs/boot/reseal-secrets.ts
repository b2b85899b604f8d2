import { resealOutlets } from '#server/adapters/sim-bank/serve/outlet.ts'
import { resealTwoFactor } from '#server/core/accounts/two-factor/secret.ts'
import { resealSubscriptions } from '#server/core/notifications/push/subscriptions.ts'
import { resealWebhooks } from '#server/core/webhooks/secret.ts'
import type { Context } from '#server/house/context.ts'
import { StartRefused } from '#server/house/start-refused.ts'

/**
 * Encrypts again what an earlier SECRET_KEY encrypted, so that the next start no longer needs that key. Suppliers and
 * gateways are left out, because each start encrypts their settings again anyway.
 */
export async function resealSecrets(ctx: Context): Promise<void> {
  if (ctx.secrets.previousSecretKeys.length === 0) return
  const parts = [resealTwoFactor, resealSubscriptions, resealOutlets, resealWebhooks]
  try {
    for (const reseal of parts) await reseal(ctx)
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    ctx.log.error(
      { error },
      'not all that an earlier SECRET_KEY sealed could be opened: leave SECRET_KEY_PREVIOUS as it is',
    )
    return
  }
  ctx.log.info('what an earlier SECRET_KEY sealed is sealed anew; letters that wait may need that key for three days')
}
