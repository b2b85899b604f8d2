import type { Provider } from '#contract/account-constants.ts'
import { serviceMarkUrl } from './initial/service-mark.ts'

const MARKS: Record<Provider, string> = { google: 'go', vkontakte: 'vk', telegram: 'tg' }

/** Renders the logo of a sign-in provider, which is decorative, because the provider's name is always beside it. */
export function ProviderMark({ provider, size }: { provider: Provider; size: number }) {
  return <img src={serviceMarkUrl(MARKS[provider]) ?? ''} alt="" width={size} height={size} className="shrink-0" />
}
