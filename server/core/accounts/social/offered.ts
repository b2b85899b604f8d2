import { PROVIDERS, type Provider } from '#contract/account.ts'
import type { Context } from '#server/house/context.ts'

/** Returns the providers that a site's zone offers. VK is hidden in the com zone (specification 1). */
export function offeredProviders(ctx: Context, zone: string): Provider[] {
  return PROVIDERS.filter((provider) => {
    return ctx.secrets.providers[provider] !== undefined && !(provider === 'vkontakte' && zone === 'com')
  })
}
