import type { Provider } from '#contract/account.ts'
import type { ProviderSecret } from '#server/house/config/provider-settings.ts'
import type { Context } from '#server/house/context.ts'
import { openIdProvider } from './open-id.ts'
import type { SocialProvider } from './social-provider.ts'
import { vkProvider } from './vk-id.ts'

const GOOGLE_ISSUER = 'https://accounts.google.com'
const TELEGRAM_ISSUER = 'https://oauth.telegram.org'
const VK_ISSUER = 'https://id.vk.com'

const kept = new WeakMap<ProviderSecret, SocialProvider>()

/**
 * Returns the sign-in provider, or null if it is not set up. Each secret has one cached provider, which keeps its
 * discovered endpoints.
 */
export function providerOf(ctx: Context, name: Provider): SocialProvider | null {
  const secret = ctx.secrets.providers[name]
  if (secret === undefined) return null
  const known = kept.get(secret)
  if (known !== undefined) return known
  const made = makeProvider(ctx, name, secret)
  kept.set(secret, made)
  return made
}

function makeProvider(ctx: Context, name: Provider, secret: ProviderSecret): SocialProvider {
  const { clientId, clientSecret, issuer } = secret
  const { clock } = ctx
  switch (name) {
    case 'google':
      return openIdProvider(
        { issuer: issuer ?? GOOGLE_ISSUER, clientId, clientSecret, scope: 'openid profile email' },
        clock,
      )
    case 'telegram':
      return openIdProvider(
        { issuer: issuer ?? TELEGRAM_ISSUER, clientId, clientSecret, scope: 'openid profile' },
        clock,
      )
    case 'vkontakte':
      return vkProvider({ issuer: issuer ?? VK_ISSUER, clientId, serviceToken: clientSecret })
    default:
      return name satisfies never
  }
}
