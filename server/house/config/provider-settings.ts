import type { Provider } from '#contract/account-constants.ts'
import { fitting, isGuarded, type Table, text } from './kinds.ts'

/**
 * The credentials of a sign-in provider. `clientSecret` is empty for a public app of VK. `issuer` replaces the
 * provider's address for a test or a proxy.
 */
export type ProviderSecret = { clientId: string; clientSecret: string; issuer: string | null }
export type ProviderSecrets = Partial<Record<Provider, ProviderSecret>>

const issuer = fitting('be an address that begins with https:// (http:// on this machine alone)', isGuarded, {
  shown: "the provider's own",
})

export const PROVIDER_SETTINGS = {
  GOOGLE_CLIENT_ID: [
    text(null),
    '[Sign-in with Google](operations/site.md#social-sign-in) is offered with this id and its secret.',
  ],
  GOOGLE_CLIENT_SECRET: [text(null), 'The secret belongs to the client id.'],
  GOOGLE_ISSUER: [issuer, 'Another address of the provider answers.'],
  TELEGRAM_CLIENT_ID: [
    text(null),
    '[Sign-in with Telegram](operations/site.md#social-sign-in) is offered with this id and its secret.',
  ],
  TELEGRAM_CLIENT_SECRET: [text(null), 'The secret belongs to the client id.'],
  TELEGRAM_ISSUER: [issuer, 'Another address of the provider answers.'],
  VKONTAKTE_CLIENT_ID: [text(null), '[Sign-in with VK](operations/site.md#social-sign-in) is offered with this id.'],
  VKONTAKTE_CLIENT_SECRET: [text(null), 'A confidential app of VK has this key; a public one has none.'],
  VKONTAKTE_ISSUER: [issuer, 'Another address of the provider answers.'],
} satisfies Table
